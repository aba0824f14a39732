import { realpathSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { unless } from '../../../errors/unless.ts'
import { splitCommand } from '../../../protocol/command-words.ts'
import { UsageError } from '../../../errors/fed-error.ts'
import { isSystemError } from '../../../platform/storage/system-error.ts'
import type { ToolPolicy, ToolRequest } from './agent-host.ts'

/** Kinds of tools that look at files and change nothing, in the words of the Agent Client Protocol. */
const looking = ['read', 'search']
/** Kinds that a tool of the host's chat can have: a server's tools often have none of their own. */
const foreign = ['other', 'fetch', ...looking]

/** Longest path that the system takes, in characters: a longer text is none. */
const longestPath = 4096

/** What the meta coordinator's work needs (see the skill `orchestration`); nothing that repairs or rewrites. */
const commands = new Set(
  (
    'status history inbox outbox read reply send ack pause resume launch archive restore monitor onboard prompt ' +
    'learnings check diagram doctor config skills help'
  ).split(' '),
)

/** Characters that mean something to a shell outside of quotation marks. */
const shellSigns = /[$`\\;&|<>(){}\n\r*?[\]!#~]/

/**
 * What the meta coordinator's agent may use: what reads the repository, and fed's own commands, each alone. It writes
 * no file, runs nothing else, and neither reads what lies elsewhere nor calls other machines, whatever a message
 * asked it to: what it says is posted.
 * @param root the federation's.
 */
export function coordinatorPolicy(root: string): ToolPolicy {
  return (tool) => {
    const { kind, rawInput } = tool
    if (kind === 'think') return true
    if (looking.includes(kind ?? 'other')) return pathsIn(tool).every((one) => isWithin(root, one))
    return kind === 'execute' && isPlainlyRun(root, rawInput) && isOwnCommand(commandIn(rawInput))
  }
}

/**
 * Whether the agent may use a tool while it reads or writes the channel: only the chat tools of its host, by
 * their names. A tool that reads, searches or fetches a given file or page is refused, whatever its name.
 */
export function channelMay({ kind, name, title, rawInput, locations }: ToolRequest): boolean {
  if (kind === 'think') return true
  const called = name ?? title ?? ''
  if ((kind ?? 'other') !== 'other') {
    const isPlace = textsIn(rawInput).some((text) => /^[/~]|^\w+:\/\//.test(text))
    if (isPlace || (locations ?? []).length > 0 || /[\\/~]|\.\w/.test(called)) return false
  }
  return foreign.includes(kind ?? 'other') && isOfChat(called)
}

/**
 * Whether a name is one of a chat tool: `mcp__chat__list_messages`, `sendReply`, `Post`; not `replace_text`,
 * `postgres_query` or `send_email`.
 */
function isOfChat(called: string): boolean {
  const words = called
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '')
  return (
    words.some((word) =>
      /^(?:(?:ms)?teams?|chats?|channels?|messages?|threads?|reply|replies)$/.test(word),
    ) || /^(?:post|send)$/.test(words.join(' '))
  )
}

/** Every text of a request that could be a path: its locations, and all texts of its input. */
function pathsIn({ locations, rawInput }: ToolRequest): string[] {
  return [...(locations ?? []).map((one) => one.path), ...textsIn(rawInput)]
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** Whether a text, read as a path, leads to nothing outside of a folder; links are followed. */
function isWithin(root: string, given: string): boolean {
  if (/^file:/i.test(given)) return false
  // another user's home, or another drive
  if (/^~[^/\\]|^[a-z]:[\\/]/i.test(given)) return false
  const file = path.resolve(root, given.replace(/^~(?=\/|$)/, os.homedir()))
  if (file.length > longestPath) return true
  const inside = path.relative(realpathSync(root), realPlaceOf(file))
  return !/^\.\.(?:[\\/]|$)/.test(inside) && !path.isAbsolute(inside)
}

function isSame(one: string, other: string): boolean {
  return realPlaceOf(one) === realPlaceOf(other)
}

/** Where a file is, or would be, with links followed. */
function realPlaceOf(file: string): string {
  try {
    return realpathSync(file)
  } catch (error) {
    // most texts are no paths at all, or patterns
    if (!isSystemError(error) && !(error instanceof TypeError)) throw error
    const parent = path.dirname(file)
    return parent === file ? file : path.join(realPlaceOf(parent), path.basename(file))
  }
}

/**
 * Whether a command runs in the federation's folder with an unchanged environment: anywhere else, or with
 * other variables, the same words could do something else.
 */
function isPlainlyRun(root: string, input: unknown): boolean {
  return Object.entries(input ?? {}).every(([name, value]) => {
    if (/^env/i.test(name)) return textsIn(value).length === 0
    return (
      !/cwd|dir/i.test(name) || textsIn(value).every((folder) => isSame(root, path.resolve(root, folder)))
    )
  })
}

function commandIn(input: unknown): readonly string[] | undefined {
  const { command, args = [] } = (input ?? {}) as { command?: unknown; args?: unknown }
  const list = Array.isArray(command) ? command : typeof command === 'string' ? [command] : undefined
  if (list === undefined || !Array.isArray(args)) return undefined
  const words = [...list, ...args]
  if (!words.every((word) => typeof word === 'string')) return undefined
  if (words.length > 1) return words
  // quoted words may hold what a shell leaves alone there
  const [line] = words as [string]
  const bare = line.replace(/'[^']*'|"[^"]*"/g, (quoted) =>
    quoted.startsWith('"') && /[$`\\!]/.test(quoted) ? quoted : '',
  )
  if (shellSigns.test(bare)) return undefined
  return unless(UsageError, () => splitCommand(line))
}

function isOwnCommand(words: readonly string[] | undefined): boolean {
  if (words === undefined) return false
  const [program, command = 'help', ...rest] = words
  // another folder is another federation, an agent's command line is a command line, and files are elsewhere
  const leads = rest.some((word) =>
    /^--(?:dir|from|agent|confinement|fix|output|body-file|prompt-file)(?:=|$)/.test(word),
  )
  return program === 'fed' && commands.has(command) && !leads
}
