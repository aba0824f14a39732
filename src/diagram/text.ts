import { guardLabel, statesWithin, type Chart, type ChartState } from './chart.ts'
import { visitsInWords, visitsOf, type Path } from './mission-path.ts'
import { timeInWords } from './time-words.ts'

export interface TextOptions {
  /** Name or id of the state to mark. */
  readonly current?: string | undefined
  /** The way to tell: at each state its turns and the time spent there, below the chart the states in order. */
  readonly path?: Path | undefined
}

/**
 * A chart for a terminal: the tree of states, each with its transitions as `event → target  [guards]`.
 * A transition without a target stays where it is, and says what it does instead.
 */
export function toText(chart: Chart, { current, path }: TextOptions = {}): string {
  const visits = visitsOf(path?.stays ?? [])
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
    const visited = state.states.length === 0 ? visits.get(state.name) : undefined
    const heading = [
      isCurrent ? '●' : visited === undefined ? '○' : '✓',
      state.name,
      ...(notes.length > 0 ? [`(${notes.join(', ')})`] : []),
      ...(visited === undefined ? [] : [`  ${visitsInWords(visited)}`]),
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

  return `${[...lines(chart.root, undefined), ...wayLines(path)].join('\n')}\n`
}

/** Of a long way its end is told: what came last is what people ask for. */
const mostStays = 12

function wayLines(path: Path | undefined): string[] {
  if (path === undefined) return []
  const told = path.stays
    .slice(-mostStays)
    .map(({ state, from, until }) => `${state} ${timeInWords(until - from)}`)
  const left = path.stays.length - told.length
  return ['', `way: ${[...(left > 0 ? [`… ${left} before`] : []), ...told].join(' → ')}`]
}

function kindNote({ kind, deep }: ChartState): string {
  if (kind === 'history') return deep ? 'deep history' : 'history'
  return kind === 'final' || kind === 'parallel' ? kind : ''
}

function branch([first, ...rest]: readonly string[], last: boolean): string[] {
  return [`${last ? '└─' : '├─'} ${first ?? ''}`, ...rest.map((line) => `${last ? '  ' : '│ '} ${line}`)]
}
