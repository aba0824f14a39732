import type { Command } from 'commander'
import { writeOut } from '../output.ts'
import type { Commands } from './complete-words.ts'

/** What the completion scripts ask; no help shows it. */
export const COMPLETE = '__complete'

/**
 * Declares the command behind the completion scripts. It prints a candidate a line and never an error: somebody is
 * in the middle of typing.
 */
export function registerComplete(program: Command, commands: Commands): void {
  program
    .command(COMPLETE, { hidden: true })
    .argument('[words...]')
    .action(async (words: string[]) => {
      try {
        const { complete } = await import('./complete-words.ts')
        const lines = await complete(commands, words)
        writeOut(lines.map((line) => `${line}\n`).join(''))
      } catch (error) {
        if (process.env.FED_DEBUG !== undefined) throw error
      }
    })
}
