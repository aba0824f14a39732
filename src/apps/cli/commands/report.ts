import type { Command } from 'commander'
import { declare, type CommonOptions } from '../declare-command.ts'
import { textInput } from '../text-input.ts'

interface ReportOptions extends CommonOptions {
  team?: string
  body?: string
  bodyFile?: string
  run?: string
}

export function registerReport(program: Command): void {
  declare(
    program,
    'report <subject>',
    "Tell the team's machine that a milestone is reached",
    'fed report files-read --team docs',
  )
    .option('--team <id>', 'the team (default: the acting one)')
    .option('--body <text>', 'what the milestone needs to say')
    .option('--body-file <file>', "the same from a file, or '-' for the standard input")
    .option('--run <command>', 'where no checks are configured: run this command first, as an unpinned check')
    .addHelpText(
      'after',
      '\nA milestone that needs tests runs the checks of federate.config.json first, each on a fresh checkout of the' +
        '\ncommit; their logs and results are in .fed/checks of the federation. Where it configures none, --run counts: its' +
        '\ncommand is split at blanks; single or double quotes keep blanks together, and nothing else has a meaning: no' +
        '\nshell, no variables, no backslashes. It runs in the workspace, in the environment of this command; exit code,' +
        '\ncommit and the path of its log are recorded in .fed/test-runs.jsonl of the workspace.',
    )
    .action(async (subject: string, options: ReportOptions) => {
      const { tell } = await import('../tell-team.ts')
      const body = await textInput('body', options.body, options.bodyFile)
      await tell(options, { type: 'report', subject, body }, { team: options.team, run: options.run })
    })
}
