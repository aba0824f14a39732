import type { Command } from 'commander'
import { declare, type CommonOptions } from '../command.ts'
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
    .option('--run <command>', 'run this command first; its exit code and the commit become evidence')
    .addHelpText(
      'after',
      '\nThe command of --run is split at blanks; single or double quotes keep blanks together, and nothing else has' +
        '\na meaning: no shell, no variables, no backslashes. It runs in the workspace, in the environment of this' +
        '\ncommand; exit code, commit and the path of its log are recorded in .fed/test-runs.jsonl of the workspace.',
    )
    .action(async (subject: string, options: ReportOptions) => {
      const { tell } = await import('../tell.ts')
      const body = await textInput('body', options.body, options.bodyFile)
      await tell(options, { type: 'report', subject, body }, { team: options.team, run: options.run })
    })
}
