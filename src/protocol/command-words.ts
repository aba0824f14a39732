import { UsageError } from '../errors/fed-error.ts'

/** Words that mean something to a shell only: to a program they would be arguments. */
const shellOperator = /(?<!\S)(?:&&|\|\||[;|<>&])(?!\S)/

/**
 * Splits a command at blanks; quotes keep blanks together, and nothing else has a meaning.
 * @throws {UsageError} when it is empty or a quote has no end.
 */
export function splitCommand(command: string): string[] {
  if (/["']/.test(withoutQuoted(command))) throw new UsageError(`a quote has no end in: ${command}`)
  const words = [...command.matchAll(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g)].map(([word]) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single ?? ''),
  )
  if (words.length === 0) throw new UsageError('the agent command is empty')
  return words
}

/** A command without what stands in quotes. */
function withoutQuoted(command: string): string {
  return command.replace(/"[^"]*"|'[^']*'/g, '')
}

/** Why a command cannot be run without a shell, in words that follow its name; undefined where it can. */
export function commandFault(command: string): string | undefined {
  if (command.trim() === '') return 'the command is empty'
  const bare = withoutQuoted(command)
  if (/["']/.test(bare)) return `a quote has no end in: ${command}`
  if (command.includes('\0')) return 'the command holds a NUL character'
  const [word] = shellOperator.exec(bare) ?? []
  return word === undefined
    ? undefined
    : `there is no shell, so '${word}' has no meaning; put the commands into a script and run that`
}

/** A word as a shell reads it: in quotes only where it needs them, for those that split at blanks alone. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
