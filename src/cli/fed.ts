#!/usr/bin/env node
import { Command, CommanderError } from 'commander'
import { FedError } from '../errors.ts'
import { packageVersion } from '../package.ts'
import { commands } from './commands.ts'
import { manyLines } from './plain-text.ts'

function build(): Command {
  const program = new Command('fed')
    .description(
      'Teams of headless coding agents in one git repository: signals as files, lifecycles as state machines',
    )
    .version(packageVersion)
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'fed: ')) })
    .addHelpText('after', '\nStart here:\n  fed run "Document the architecture of this repository"')
  for (const register of commands) register(program)
  return program
}

/** Runs the command line; returns the exit code (see README). */
async function main(): Promise<number> {
  try {
    await build().parseAsync()
    return Number(process.exitCode ?? 0)
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    return explain(error)
  }
}

/** Says what went wrong, without a stack unless one was asked for; returns the exit code. */
function explain(error: unknown): number {
  if (error instanceof FedError) {
    process.stderr.write(`fed: ${manyLines(error.message)}\n`)
    return error.exitCode
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  process.stderr.write(`fed: unexpected: ${process.env.FED_DEBUG === undefined ? message : stack}\n`)
  return 1
}

// a reader that goes away (`fed history docs | head -1`) is no error
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
// nobody reads the progress any more: the work goes on
process.stderr.on('error', () => undefined)
// what fails between two steps, such as a log on a full disk
process.on('uncaughtException', (error) => process.exit(explain(error)))
void main().then((code) => (process.exitCode = code))
