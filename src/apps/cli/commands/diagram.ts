import { writeFileSync } from 'node:fs'
import { type Command, Option } from 'commander'
import { NotFoundError, UsageError } from '../../../errors/fed-error.ts'
import { federationLayout } from '../../../protocol/folder-layout.ts'
import type { Team } from '../../../federation/team.ts'
import { declare, type CommonOptions } from '../declare-command.ts'
import { print } from '../output.ts'
import { openToRead } from '../scope.ts'

const formats = ['mermaid', 'svg', 'text'] as const

interface DiagramOptions extends CommonOptions {
  format: (typeof formats)[number]
  output?: string
}

export function registerDiagram(program: Command): void {
  declare(
    program,
    'diagram [archetype|team]',
    "Draw an archetype's machine, or a team's with its present state and the way that it took",
    'fed diagram deliverable --format svg --output deliverable.svg',
  )
    .addOption(new Option('--format <format>', 'how to draw it').choices(formats).default('mermaid'))
    .option('--output <file>', 'write it to this file')
    .action(async (subject: string | undefined, options: DiagramOptions) => {
      const { chart, ...marks } = await chartFor(subject ?? 'deliverable', options)
      const drawing = await draw(chart, options.format, marks)
      if (options.output === undefined)
        return print(options, { format: options.format, drawing }, () => drawing.trimEnd())
      writeOut(options.output, drawing)
      print(options, { format: options.format, file: options.output }, ({ file }) => file)
    })
}

type Chart = ReturnType<typeof import('../../../diagram/chart.ts').chartOf>

/** What a drawing of a team shows besides its machine. */
interface Marks {
  readonly current?: string
  readonly path?: import('../../../diagram/mission-path.ts').Path
  readonly layouts?: import('../../../diagram/kept-layouts.ts').LayoutPlaces
}

async function chartFor(subject: string, options: CommonOptions): Promise<{ chart: Chart } & Marks> {
  const [{ chartOf }, { builtIn }, { registryStatus }] = await Promise.all([
    import('../../../diagram/chart.ts'),
    import('../../../federation/catalogue.ts'),
    import('../../../../machines/registry-status.ts'),
  ])
  if (subject === registryStatus.id) return { chart: chartOf(registryStatus) }
  const shipped = builtIn.find(subject)
  if (shipped !== undefined) return { chart: chartOf(shipped.logic.machine) }
  const { federation } = await openToRead(options)
  const { shippedLayouts } = await import('../../../diagram/kept-layouts.ts')
  const layouts = { ...shippedLayouts, keepIn: federationLayout(federation.root).layouts }
  if (federation.mailboxOf(subject) === undefined) {
    const archetypes = await federation.archetypes()
    const own = archetypes.find(subject)
    if (own !== undefined) return { chart: chartOf(own.logic.machine), layouts }
    const known = [...archetypes.ids, registryStatus.id].join(', ')
    throw new NotFoundError(`'${subject}' is no team here and no machine; the machines are ${known}`)
  }
  const team = await federation.team(subject)
  const chart = chartOf(team.actor.logic.machine)
  return { chart, layouts, ...(await marksOf(team, chart)) }
}

/** The present state, and the way of the present mission; a finished one stands still. */
async function marksOf(team: Team, chart: Chart): Promise<Pick<Marks, 'current' | 'path'>> {
  const [{ pathOf }, { missionOf }] = await Promise.all([
    import('../../../diagram/mission-path.ts'),
    import('../mission-way.ts'),
  ])
  const { state, begun, until, moves } = missionOf(team)
  return { current: state, path: pathOf(chart, moves, { state, begun, until }) }
}

async function draw(chart: Chart, format: DiagramOptions['format'], marks: Marks): Promise<string> {
  switch (format) {
    case 'svg':
      return (await import('../../../diagram/svg.ts')).toSvg(chart, marks)
    case 'text':
      return (await import('../../../diagram/text.ts')).toText(chart, marks)
    default:
      return (await import('../../../diagram/mermaid.ts')).toMermaid(chart, marks)
  }
}

function writeOut(file: string, drawing: string): void {
  try {
    writeFileSync(file, drawing)
  } catch (error) {
    throw new UsageError(`--output: ${(error as Error).message}`, { cause: error })
  }
}
