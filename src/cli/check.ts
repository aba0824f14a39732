import type { Command } from 'commander'
import { declare, type CommonOptions } from './command.ts'
import { print } from './output.ts'
import { openTeam } from './scope.ts'

export function registerCheck(program: Command): void {
  declare(
    program,
    'check [team]',
    "Check a team's deliverable against the standards, with line numbers",
    'fed check docs',
  ).action(async (id: string | undefined, options: CommonOptions) => {
    const { federation, team } = await openTeam(options, id)
    const [{ checkDeliverableFile }, { codebaseHasCode }, { describeFigures }] = await Promise.all([
      import('../deliverable/check-file.ts'),
      import('../actors/codebase.ts'),
      import('./conclusion.ts'),
    ])
    const file = team.deliverableFile
    const report = checkDeliverableFile(file, {
      workspace: team.actor.workspace,
      codebaseHasCode: codebaseHasCode(federation.root),
    })
    print(options, { file, ...report }, ({ problems, figures }) =>
      problems.length === 0 && figures !== undefined
        ? `${file} meets the standards: ${describeFigures(figures)}`
        : problems.map(({ line, rule, message }) => `${file}:${line} ${rule}: ${message}`).join('\n'),
    )
    if (report.problems.length > 0) process.exitCode = 1
  })
}
