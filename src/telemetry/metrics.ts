import type { Histogram } from './histogram.ts'
import type { LedgerDraft, Totals } from './telemetry-ledger.ts'
import { attribute } from './names.ts'

type Attributes = Readonly<Record<string, string>>

export interface Described {
  readonly name: string
  readonly unit: string
  readonly description: string
}

/** A team's values of one metric, each with the attributes that tell it from the others. */
export type Values<Value> = (totals: Totals) => readonly (readonly [Attributes, Value])[]

const by =
  <Value>(pick: (totals: Totals) => Readonly<Record<string, Value>>, name: string): Values<Value> =>
  (totals) =>
    Object.entries(pick(totals)).map(([key, value]) => [{ [name]: key }, value])

const figure =
  (name: keyof NonNullable<Totals['deliverable']>): Values<number> =>
  ({ deliverable }) =>
    deliverable === undefined ? [] : [[{}, deliverable[name]]]

export const gauges: readonly (readonly [Described, Values<number>])[] = [
  [{ name: 'deliverable.size_bytes', unit: 'By', description: 'Document size' }, figure('sizeBytes')],
  [{ name: 'deliverable.sections', unit: '{section}', description: 'Section count' }, figure('sections')],
  [
    {
      name: 'deliverable.code_examples',
      unit: '{code_example}',
      description: 'Number of code blocks included',
    },
    figure('codeExamples'),
  ],
]

export const sums: readonly (readonly [Described, Values<number>])[] = [
  [
    { name: 'fed.signals.sent', unit: '{signal}', description: 'Signals that a team sent' },
    by(({ sent }) => sent, attribute.signalType),
  ],
  [
    {
      name: 'fed.signals.acknowledged',
      unit: '{signal}',
      description: 'Signals to a team that were acknowledged',
    },
    by(({ acknowledged }) => acknowledged, attribute.signalType),
  ],
  [
    { name: 'fed.signals.refused', unit: '{signal}', description: "Signals that a team's machine refused" },
    by(({ refused }) => refused, attribute.refusalKind),
  ],
  [
    {
      name: 'fed.transitions',
      unit: '{transition}',
      description: "Moves of a team's machine from one state to another",
    },
    ({ transitions }) =>
      Object.entries(transitions).map(([states, value]) => {
        const [from = '', to = ''] = states.split(' ')
        return [{ [attribute.stateFrom]: from, [attribute.stateTo]: to }, value]
      }),
  ],
  [
    { name: 'fed.sessions', unit: '{session}', description: 'Agent sessions that ended' },
    by(({ sessions }) => sessions, attribute.sessionCause),
  ],
  [
    { name: 'fed.tokens', unit: '{token}', description: 'Tokens that agents told that they used up' },
    by(({ tokens = {} }) => tokens, attribute.agent),
  ],
  [
    { name: 'fed.cost', unit: 'USD', description: 'Money that agents told that they used up' },
    by(({ cost = {} }) => cost, attribute.agent),
  ],
]

export const histograms: readonly (readonly [Described, Values<Histogram>])[] = [
  [
    {
      name: 'fed.signals.waiting_time',
      unit: 's',
      description: 'Time from a signal to its handling or acknowledgment',
    },
    by(({ waiting }) => waiting, attribute.signalType),
  ],
  [
    { name: 'fed.state.duration', unit: 's', description: 'Time that a mission spent in a state' },
    by(({ states }) => states, attribute.state),
  ],
  [
    { name: 'fed.session.duration', unit: 's', description: 'Time that an agent session took' },
    ({ sessionTime }) => (sessionTime === undefined ? [] : [[{}, sessionTime]]),
  ],
]

/** The values of one metric for all teams of a ledger, each with everything that tells it from the others. */
export function seriesOf<Value>(
  ledger: LedgerDraft,
  values: Values<Value>,
): readonly (readonly [Attributes, Value])[] {
  return Object.entries(ledger.teams).flatMap(([id, { archetype, totals }]) => {
    const common = { [attribute.team]: id, [attribute.archetype]: archetype }
    return values(totals).map(([attributes, value]) => [{ ...common, ...attributes }, value] as const)
  })
}
