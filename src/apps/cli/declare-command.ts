import type { Command, CommandOptions } from 'commander'

/** Options that every command takes. */
export interface CommonOptions {
  readonly json?: boolean
  readonly dir?: string
  readonly quiet?: boolean
}

/** Declares a command with the common options and an example in its help. */
export function declare(
  program: Command,
  usage: string,
  description: string,
  example: string,
  settings?: CommandOptions,
): Command {
  return program
    .command(usage, settings)
    .description(description)
    .option('--json', 'print one JSON document on the standard output, and nothing else')
    .option('--dir <folder>', 'look for the federation in this folder and above it')
    .option('-q, --quiet', 'no progress, only results and errors')
    .addHelpText('after', `\nExample:\n  ${example}`)
}

/**
 * Help text of a command group: the help of its default command, and an example.
 * @param name the default command's, which runs where none is named.
 */
export function helpOfDefault(name: string, example: string): (context: { command: Command }) => string {
  return ({ command: group }) => {
    const help = group.commands.find((one) => one.name() === name)?.helpInformation() ?? ''
    return `\n'fed ${group.name()}' alone is 'fed ${group.name()} ${name}':\n\n${help}\nExample:\n  ${example}`
  }
}
