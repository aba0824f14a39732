import { guardLabel, statesWithin, type Chart, type ChartState } from './chart.ts'

export interface TextOptions {
  /** Name or id of the state to mark. */
  readonly current?: string | undefined
}

/**
 * A chart for a terminal: the tree of states, each with its transitions as `event → target  [guards]`.
 * A transition without a target stays where it is, and says what it does instead.
 */
export function toText(chart: Chart, { current }: TextOptions = {}): string {
  const names = new Map(statesWithin(chart.root).map(({ id, name }) => [id, name]))
  const widest = Math.max(0, ...chart.transitions.map(({ event }) => event.length))

  function transitionLines(state: ChartState): string[] {
    const own = chart.transitions.filter(({ source }) => source === state.id)
    const arrows = own.map(({ targets, actions }) =>
      targets.length > 0
        ? `→ ${targets.map((target) => names.get(target) ?? target).join(', ')}`
        : `/ ${actions.length > 0 ? actions.join(', ') : 'nothing'}`,
    )
    const widestArrow = Math.max(0, ...arrows.map((arrow) => arrow.length))
    return own.map((each, index) =>
      `${each.event.padEnd(widest)}  ${(arrows[index] ?? '').padEnd(widestArrow)}  ${guardLabel(each)}`.trimEnd(),
    )
  }

  function lines(state: ChartState, parent: ChartState | undefined): string[] {
    const isCurrent = current !== undefined && (current === state.name || current === state.id)
    const notes = [parent?.initial === state.id ? 'initial' : '', kindNote(state)].filter(
      (note) => note !== '',
    )
    const heading = [
      isCurrent ? '●' : '○',
      state.name,
      ...(notes.length > 0 ? [`(${notes.join(', ')})`] : []),
      ...(isCurrent ? ['◀ current'] : []),
    ].join(' ')
    const children = state.states.map((child) => lines(child, state))
    const own = transitionLines(state)
    const stem = children.length > 0 ? '│ ' : '  '
    return [
      heading,
      ...(state.description === '' ? [] : [`${stem}  ${state.description}`]),
      ...own.map((line) => `${stem}  ${line}`),
      ...children.flatMap((child, index) => branch(child, index === children.length - 1)),
    ]
  }

  return `${lines(chart.root, undefined).join('\n')}\n`
}

function kindNote({ kind, deep }: ChartState): string {
  if (kind === 'history') return deep ? 'deep history' : 'history'
  return kind === 'final' || kind === 'parallel' ? kind : ''
}

function branch([first, ...rest]: readonly string[], last: boolean): string[] {
  return [`${last ? '└─' : '├─'} ${first ?? ''}`, ...rest.map((line) => `${last ? '  ' : '│ '} ${line}`)]
}
