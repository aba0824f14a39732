import { byGuard } from './bundles.ts'
import { statesWithin, type Chart, type ChartState, type ChartTransition } from './chart.ts'
import { textWidth, unbroken, wrap, type Font } from './text-size.ts'

export const fonts = {
  title: { size: 15, bold: true },
  name: { size: 14, bold: true },
  description: { size: 12 },
  event: { size: 12, mono: true },
  guard: { size: 11 },
} as const satisfies Record<string, Font>

/** One line of text in a box or a label; `top` is where the line begins, below the box's own top. */
export interface Line {
  readonly text: string
  readonly font: keyof typeof fonts
  readonly top: number
}

export interface Content {
  readonly width: number
  readonly height: number
  readonly lines: readonly Line[]
}

const lineHeight = { title: 22, name: 20, description: 16, event: 18, guard: 15 }
const textLimit = 244

/** A label: the events of each guard stacked, the guard below them. */
export function labelContent(transitions: readonly ChartTransition[]): Content {
  const texts = byGuard(transitions).flatMap((alike) => [
    ...alike.map(({ event }) => text('event', event)),
    ...wrapped('guard', guardWords(alike[0]?.guards ?? []), 216),
  ])
  return stacked(texts, { top: 5, bottom: 6, side: 11 })
}

/** What a history state says besides its `H`. */
export const nothing: Content = { width: 0, height: 0, lines: [] }

/** A state's box, or a compound's heading: name, description, and the transitions that stay inside. */
export function stateContent(state: ChartState, { root, transitions }: Chart): Content {
  if (state.kind === 'history') return nothing
  const inside = transitions.filter((each) => each.source === state.id && each.inside)
  const names = new Map(statesWithin(root).map(({ id, name }) => [id, name]))
  const limit = state.states.length > 0 ? 345 : textLimit
  const texts = [
    text(state.states.length > 0 ? 'title' : 'name', state.name),
    ...wrapped('description', state.description, limit),
    ...inside.flatMap((each) => [
      text(
        'event',
        [`↻ ${each.event}`, ...each.targets.map((target) => names.get(target) ?? target)].join(' → '),
      ),
      ...wrapped(
        'guard',
        [guardWords(each.guards), ...each.actions.map((action) => `/${unbroken}${words(action)}`)].join(' '),
        limit,
      ),
    ]),
  ]
  return stacked(texts, { top: 11, bottom: 13, side: 16 })
}

/** `[from self ∧ has findings]`: a guard's name as the words that it is made of. */
function guardWords(guards: readonly string[]): string {
  return guards.length === 0 ? '' : `[${guards.map(words).join(` ∧${unbroken}`)}]`
}

function words(name: string): string {
  return name.replaceAll(
    /([a-z0-9])([A-Z])/g,
    (_, end: string, start: string) => `${end}${unbroken}${start.toLowerCase()}`,
  )
}

type Text = Omit<Line, 'top'>

function text(font: Line['font'], content: string): Text {
  return { font, text: content }
}

function wrapped(font: Line['font'], content: string, limit: number): Text[] {
  return wrap(content, limit, fonts[font]).map((line) => text(font, line))
}

function stacked(texts: readonly Text[], margin: { top: number; bottom: number; side: number }): Content {
  const lines: Line[] = []
  let top = margin.top
  let previous: Line['font'] | undefined
  for (const each of texts) {
    // an event begins a new paragraph below anything but another event
    if (each.font === 'event' && previous !== undefined && previous !== 'event') top += 5
    lines.push({ ...each, top })
    top += lineHeight[each.font]
    previous = each.font
  }
  const width = Math.max(...texts.map((each) => textWidth(each.text, fonts[each.font]))) + 2 * margin.side
  return { width, height: top + margin.bottom, lines }
}
