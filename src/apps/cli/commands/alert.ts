import type { Command } from 'commander'
import { declare, type CommonOptions } from '../declare-command.ts'
import { textInput } from '../text-input.ts'

interface AlertOptions extends CommonOptions {
  team?: string
  body?: string
  bodyFile?: string
}

export function registerAlert(program: Command): void {
  declare(
    program,
    'alert <subject>',
    "Tell the team's machine that the mission cannot go on",
    'fed alert information-missing --body "There is no API to document"',
  )
    .option('--team <id>', 'the team (default: the acting one)')
    .option('--body <text>', 'why')
    .option('--body-file <file>', "the same from a file, or '-' for the standard input")
    .action(async (subject: string, options: AlertOptions) => {
      const { tell } = await import('../tell-team.ts')
      await tell(
        options,
        { type: 'alert', subject, body: await textInput('body', options.body, options.bodyFile) },
        { team: options.team },
      )
    })
}
