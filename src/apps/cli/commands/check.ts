import type { Command } from 'commander'
import type { Problem } from '../../../records/deliverable/rule.ts'
import { declare, type CommonOptions } from '../declare-command.ts'
import { print } from '../output.ts'
import { openTeamToRead } from '../scope.ts'

export function registerCheck(program: Command): void {
  declare(
    program,
    'check [team]',
    "Check a team's deliverable against the standards and the schema, with line numbers",
    'fed check docs',
  )
    .option('--model', 'print what a deliverableSchema sees of it, as JSON, and check nothing')
    .action(async (id: string | undefined, options: CommonOptions & { model?: boolean }) => {
      const { team } = await openTeamToRead(options, id)
      const file = team.deliverableFile
      if (options.model) {
        const { documentInFile } = await import('../../../records/deliverable/check-file.ts')
        print({ ...options, json: true }, documentInFile(file, team.actor.workspace), () => '')
        return
      }
      const [{ checkDeliverableOf }, { describeFigures }] = await Promise.all([
        import('../../../engine/step/deliverable-evidence.ts'),
        import('../conclusion.ts'),
      ])
      const report = await checkDeliverableOf(team.actor)
      print(options, { file, ...report }, ({ problems, figures }) =>
        problems.length === 0 && figures !== undefined
          ? `${file} meets the standards: ${describeFigures(figures)}`
          : listed(file, problems),
      )
      if (report.problems.length > 0) process.exitCode = 1
    })
}

/** More than anybody reads at once; `--json` gives all. */
const mostShown = 200

function listed(file: string, problems: readonly Problem[]): string {
  const lines = problems
    .slice(0, mostShown)
    .map(({ line, rule, message }) => `${file}:${line} ${rule}: ${message}`)
  const rest = problems.length - lines.length
  return [...lines, ...(rest > 0 ? [`and ${rest} more; --json gives all`] : [])].join('\n')
}
