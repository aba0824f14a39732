import { bundlesOf, byGuard } from './bundles.ts'
import { guardLabel, statesWithin, type Chart, type ChartState, type ChartTransition } from './chart.ts'
import { visitsInWords, visitsOf, type Path } from './mission-path.ts'

export interface MermaidOptions {
  /** Name or id of the state to highlight. */
  readonly current?: string | undefined
  /** The way to mark: each state that was entered, with its turns and the time spent there. */
  readonly path?: Path | undefined
}

/**
 * A chart as a Mermaid `stateDiagram-v2`. Mermaid has no history states and no transitions that stay
 * inside: a history is a state named `H`, and the others stand as lines in their state or as a note.
 */
export function toMermaid(chart: Chart, { current, path }: MermaidOptions = {}): string {
  const ids = mermaidIds(chart)
  const lines = [
    'stateDiagram-v2',
    ...bodyOf(chart.root, chart, ids).map(indented),
    ...notesOf(chart, ids).map(indented),
    ...marksOf(chart, ids, { current, path }).map(indented),
  ]
  return `${lines.join('\n')}\n`
}

type Ids = ReadonlyMap<string, string>

/** Mermaid's ids are words: no `-`, and none of its keywords, which a prefix rules out. */
function mermaidIds({ root }: Chart): Ids {
  const taken = new Set<string>()
  return new Map(
    statesWithin(root).map((state) => {
      const word = `s_${state.name.replaceAll(/[^A-Za-z0-9_]/g, '_')}`
      let id = word
      for (let copy = 2; taken.has(id); copy++) id = `${word}_${copy}`
      taken.add(id)
      return [state.id, id]
    }),
  )
}

function bodyOf(parent: ChartState, chart: Chart, ids: Ids): string[] {
  const initial = parent.initial === undefined ? [] : [`[*] --> ${ids.get(parent.initial)}`]
  const states = parent.states.map((state) => stateOf(state, chart, ids))
  const separator = parent.kind === 'parallel' ? ['--'] : []
  const children = states.flatMap((lines, index) => (index === 0 ? lines : [...separator, ...lines]))
  const finals = parent.states
    .filter(({ kind }) => kind === 'final')
    .map(({ id }) => `${ids.get(id)} --> [*]`)
  return [...initial, ...children, ...edgesWithin(parent, chart, ids), ...finals]
}

function stateOf(state: ChartState, chart: Chart, ids: Ids): string[] {
  const name = state.kind === 'history' ? (state.deep ? 'H* (deep history)' : 'H (history)') : state.name
  const declaration = `state "${safe(name)}" as ${ids.get(state.id)}`
  if (state.states.length === 0) return [declaration]
  return [`${declaration} {`, ...bodyOf(state, chart, ids).map(indented), '}']
}

/** Mermaid draws a state where it is first linked, so each edge stands in the innermost state around both ends. */
function edgesWithin(parent: ChartState, chart: Chart, ids: Ids): string[] {
  const children = parent.states.map((child) => new Set(statesWithin(child).map(({ id }) => id)))
  const branchOf = (id: string) => children.findIndex((branch) => branch.has(id))
  return bundlesOf(chart)
    .filter(({ source, target }) => {
      const [from, to] = [branchOf(source), branchOf(target)]
      return from >= 0 && to >= 0 && from !== to
    })
    .map(({ source, target, transitions }) => {
      const label = byGuard(transitions).flatMap((alike) => [
        ...alike.map(({ event }) => safe(event)),
        ...alike.slice(0, 1).map((each) => safe(guardLabel(each))),
      ])
      return `${ids.get(source)} --> ${ids.get(target)} : ${label.filter((line) => line !== '').join('<br/>')}`
    })
}

/** Mermaid refuses to draw a compound state's second transition to itself, but takes a note beside it. */
function notesOf({ root, transitions }: Chart, ids: Ids): string[] {
  return statesWithin(root).flatMap((state) => {
    const inside = transitions.filter((each) => each.inside && each.source === state.id)
    if (inside.length === 0) return []
    const lines = inside.map((each) => indented(safe(insideText(each, root))))
    // the root has no box of its own: its notes stand beside the state that it begins with
    const beside = state === root ? root.initial : state.id
    return beside === undefined ? [] : [`note left of ${ids.get(beside)}`, ...lines, 'end note']
  })
}

function insideText({ event, targets, source, guards, actions }: ChartTransition, root: ChartState): string {
  const names = new Map(statesWithin(root).map(({ id, name }) => [id, name]))
  const leads = targets
    .filter((target) => target !== source)
    .map((target) => `→ ${names.get(target) ?? target}`)
  const does = actions.length === 0 ? [] : [`/ ${actions.join(', ')}`]
  return [event, ...leads, guardLabel({ guards }), ...does].filter((part) => part !== '').join(' ')
}

/** Mermaid cannot colour a line of a state diagram, so the way stands at the states, in notes. */
function marksOf({ root }: Chart, ids: Ids, { current, path }: MermaidOptions): string[] {
  const visits = visitsOf(path?.stays ?? [])
  const leaves = statesWithin(root).filter(({ states, kind }) => states.length === 0 && kind !== 'history')
  const present = leaves.filter(({ id, name }) => current === id || current === name)
  const visited = leaves.filter(({ name }) => visits.has(name))
  const notes = visited.flatMap(({ id, name }) => {
    const words = visitsInWords(visits.get(name) ?? { turns: [], time: 0 })
    return [`note right of ${ids.get(id)}`, indented(words), 'end note']
  })
  return [
    ...notes,
    ...(visited.length === 0 ? [] : ['classDef visited stroke:#2563eb,stroke-width:2px']),
    ...(present.length === 0 ? [] : ['classDef current fill:#2563eb,color:#ffffff,stroke:#2563eb']),
    ...visited.filter((state) => !present.includes(state)).map(({ id }) => `class ${ids.get(id)} visited`),
    ...present.map(({ id }) => `class ${ids.get(id)} current`),
  ]
}

/** Characters with which Mermaid's grammar ends a text, as its own entity codes. */
function safe(text: string): string {
  return text.replaceAll(/[#;:"{}<>&%\n\r]/g, (char) => `#${char.codePointAt(0)};`)
}

function indented(line: string): string {
  return `  ${line}`
}
