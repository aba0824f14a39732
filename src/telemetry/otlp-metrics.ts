import { ValueType } from '@opentelemetry/api'
import { ProtobufMetricsSerializer } from '@opentelemetry/otlp-transformer'
import { AggregationTemporality, DataPointType } from '@opentelemetry/sdk-metrics'
import { bounds, countsOf, type Histogram } from './histogram.ts'
import type { LedgerDraft, TeamLedger, Totals } from './ledger.ts'
import { attribute } from './names.ts'
import { hrTimeOf } from './otlp-time.ts'
import { scope, type resourceOf } from './resource.ts'

type ResourceMetrics = Parameters<typeof ProtobufMetricsSerializer.serializeRequest>[0]
type MetricData = ResourceMetrics['scopeMetrics'][number]['metrics'][number]
type Attributes = Readonly<Record<string, string>>

interface Described {
  readonly name: string
  readonly unit: string
  readonly description: string
}

/** A team's values of one metric, each with the attributes that tell it from the others. */
type Values<Value> = (totals: Totals) => readonly (readonly [Attributes, Value])[]

const by =
  <Value>(pick: (totals: Totals) => Readonly<Record<string, Value>>, name: string): Values<Value> =>
  (totals) =>
    Object.entries(pick(totals)).map(([key, value]) => [{ [name]: key }, value])

const figure =
  (name: keyof NonNullable<Totals['deliverable']>): Values<number> =>
  ({ deliverable }) =>
    deliverable === undefined ? [] : [[{}, deliverable[name]]]

const gauges: readonly (readonly [Described, Values<number>])[] = [
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

const sums: readonly (readonly [Described, Values<number>])[] = [
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
]

const histograms: readonly (readonly [Described, Values<Histogram>])[] = [
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

/** A ledger's totals as an OTLP request: cumulative since the ledger began, whoever sends them. */
export function metricsRequest(
  ledger: LedgerDraft,
  resource: ReturnType<typeof resourceOf>,
): Uint8Array | undefined {
  const times = { startTime: hrTimeOf(ledger.started), endTime: hrTimeOf(ledger.at) }
  const teams = Object.entries(ledger.teams)
  const pointsOf = <Value, Point>(values: Values<Value>, point: (value: Value) => Point) =>
    teams.flatMap(([id, team]) =>
      values(team.totals).map(([attributes, value]) => ({
        ...times,
        attributes: { ...common(id, team), ...attributes },
        value: point(value),
      })),
    )
  const same = (value: number) => value
  const metrics: MetricData[] = [
    ...gauges.map(([described, values]) => ({
      ...base(described, ValueType.INT),
      dataPointType: DataPointType.GAUGE as const,
      dataPoints: pointsOf(values, same),
    })),
    ...sums.map(([described, values]) => ({
      ...base(described, ValueType.INT),
      dataPointType: DataPointType.SUM as const,
      isMonotonic: true,
      dataPoints: pointsOf(values, same),
    })),
    ...histograms.map(([described, values]) => ({
      ...base(described, ValueType.DOUBLE),
      dataPointType: DataPointType.HISTOGRAM as const,
      dataPoints: pointsOf(values, valueOf),
    })),
  ]
  return ProtobufMetricsSerializer.serializeRequest({
    resource,
    scopeMetrics: [{ scope, metrics: metrics.filter(({ dataPoints }) => dataPoints.length > 0) }],
  })
}

function base(descriptor: Described, valueType: ValueType) {
  return {
    descriptor: { ...descriptor, valueType },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
}

function common(id: string, { archetype }: TeamLedger): Attributes {
  return { [attribute.team]: id, [attribute.archetype]: archetype }
}

function valueOf(histogram: Histogram) {
  const counts = countsOf(histogram)
  return {
    count: counts.reduce((all, some) => all + some, 0),
    sum: histogram.sum,
    buckets: { boundaries: [...bounds], counts },
  }
}
