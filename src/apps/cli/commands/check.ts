import type { Command } from 'commander'
import type { Problem } from '../../../records/deliverable/rule.ts'
import { declare, type CommonOptions } from '../declare-command.ts'
import { print, shortened } from '../output.ts'
import { perform } from '../perform.ts'
import { openTeamToRead, refuseMeta } from '../scope.ts'

const check = async () => (await import('../../../agents/requests/team-requests.ts')).check

export function registerCheck(program: Command): void {
  declare(
    program,
    'check [team]',
    "Check a team's deliverable against the standards and the schema, with line numbers",
    'fed check docs',
  )
    .option('--model', 'print what a deliverableSchema sees of it, as JSON, and check nothing')
    .action(async (id: string | undefined, options: CommonOptions & { model?: boolean }) => {
      if (options.model) {
        const { team } = await openTeamToRead(options, id)
        const { documentInFile } = await import('../../../records/deliverable/check-file.ts')
        const document = documentInFile(team.deliverableFile, team.actor.workspace)
        print({ ...options, json: true }, document, () => '')
        return
      }
      if (id !== undefined) refuseMeta(id)
      const report = await perform(options, 'check', check, { team: id })
      const { describeFigures } = await import('../conclusion.ts')
      print(options, report, ({ file, problems, figures }) =>
        problems.length === 0 && figures !== undefined
          ? `${file} meets the standards: ${describeFigures(figures)}`
          : listed(file, problems),
      )
      if (report.problems.length > 0) process.exitCode = 1
    })
}

function listed(file: string, problems: readonly Problem[]): string {
  return shortened(problems.map(({ line, rule, message }) => `${file}:${line} ${rule}: ${message}`))
}
