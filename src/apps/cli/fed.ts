import { fstatSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { onSetAside } from '../../platform/git/set-aside-listener.ts'
import { FedError } from '../../errors/fed-error.ts'
import { onHookFault } from '../../federation/hooks/fault-listener.ts'
import { hasOwnCode, takeStray } from '../../federation/hooks/stray-errors.ts'
import { packageVersion } from '../../platform/process/package.ts'
import { commands } from './command-table.ts'
import { COMPLETE, registerComplete } from './completion/complete.ts'
import { sayOnError } from './live-lines.ts'
import { writeOut } from './output.ts'
import { manyLines } from './plain-text.ts'
import { sessionTray } from './session-tray.ts'
import { explainSystemError } from './system-errors.ts'

function build(): Command {
  const program = new Command('fed')
    .description(
      'Teams of headless coding agents in one git repository: signals as files, lifecycles as state machines',
    )
    .version(packageVersion)
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      outputError: (text, write) => write(text.replace(/^error: /, 'fed: ')),
      writeOut,
      // a help has no colours to take away, and a width only in a terminal
      getOutHasColors: () => true,
      getOutHelpWidth: () => (fstatSync(1).isCharacterDevice() && process.stdout.columns) || 80,
    })
    .addHelpText('after', '\nStart here:\n  fed run "Document the architecture of this repository"')
  const tray = sessionTray()
  if (tray !== undefined)
    program.hook('preAction', async (_, action) => (await import('./in-session.ts')).assertMay(action, tray))
  // the one that is asked for, else all, for the help and for the suggestion after a misspelt one
  const [asked = ''] = process.argv.slice(2)
  if (asked === COMPLETE) {
    registerComplete(program, commands)
    return program
  }
  const registers = Object.hasOwn(commands, asked) ? [commands[asked]] : Object.values(commands)
  for (const register of new Set(registers)) register?.(program)
  return program
}

/** Runs the command line; returns the exit code (src/docs/commands.md). */
async function main(): Promise<number> {
  try {
    await build().parseAsync()
    return Number(process.exitCode ?? 0)
  } catch (error) {
    if (!(error instanceof CommanderError)) return explain(error)
    if (error.exitCode === 0) return 0
    // what was wrong it has already said
    return failed(2, error.message.replace(/^error: /, ''))
  }
}

/** Says what went wrong, without a stack unless one was asked for; returns the exit code. */
function explain(error: unknown): number {
  // what the operating system said, in words that help
  const words = process.env.FED_DEBUG === undefined ? explainSystemError(error) : undefined
  if (error instanceof FedError || words !== undefined) {
    const said = words ?? manyLines((error as FedError).message)
    process.stderr.write(`fed: ${said}\n`)
    return failed(error instanceof FedError ? error.exitCode : 1, said)
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  process.stderr.write(`fed: unexpected: ${process.env.FED_DEBUG === undefined ? message : stack}\n`)
  return failed(1, `unexpected: ${message}`)
}

/** Who asked for a JSON document gets one of a failure, too; returns the exit code. */
function failed(exitCode: number, message: string): number {
  if (process.argv.includes('--json')) writeOut(`${JSON.stringify({ error: { exitCode, message } })}\n`)
  return exitCode
}

/** Calls `onError` when a standard stream fails; it is made when it is first used, because that takes long. */
function watchStream(name: 'stdout' | 'stderr', onError: (error: NodeJS.ErrnoException) => void): void {
  const { get } = Object.getOwnPropertyDescriptor(process, name) as { get: () => NodeJS.WriteStream }
  let stream: NodeJS.WriteStream | undefined
  Object.defineProperty(process, name, {
    configurable: true,
    enumerable: true,
    get: () => (stream ??= get.call(process).on('error', onError)),
  })
}

onHookFault((line) => sayOnError(`fed: ${manyLines(line)}; 'fed doctor' knows more`))
onSetAside((line) => sayOnError(`fed: ${manyLines(line)}`))
// a reader that goes away (`fed history docs | head -1`) is no error
watchStream('stdout', (error) => {
  if (error.code === 'EPIPE') process.exit(0)
  sayOnError(`fed: the result could not be printed (${error.message}); what was done stands`)
  process.exit(1)
})
// nobody reads the progress any more: the work goes on
watchStream('stderr', () => undefined)
// what fails between two steps, such as a log on a full disk
process.on('uncaughtException', (error) => {
  if (!takeStray(error)) process.exit(explain(error))
})
void main().then(end)

function end(code: number): void {
  process.exitCode = code
  // what a federation's own module left open keeps no command from ending
  if (hasOwnCode()) process.stdout.write('', () => process.exit(code))
}
