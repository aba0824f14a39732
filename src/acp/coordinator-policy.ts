import os from 'node:os'
import path from 'node:path'
import { splitCommand } from '../sessions/agent-command.ts'
import { UsageError } from '../errors.ts'
import type { ToolPolicy, ToolRequest } from './agent-host.ts'

/** Kinds of tools that look at files and change nothing, in the words of the Agent Client Protocol. */
const looking = ['read', 'search']
/** Kinds that a tool of the host's chat can have: a server's tools often have none of their own. */
const foreign = ['other', 'fetch', ...looking]

/** What the meta coordinator's work needs (see the skill `orchestration`); nothing that repairs or rewrites. */
const commands = new Set(
  (
    'status history inbox outbox read reply send ack pause resume launch archive restore monitor onboard prompt ' +
    'learnings check diagram doctor config skills help'
  ).split(' '),
)

/** What a shell would make something of, wherever it stands. */
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
    return kind === 'execute' && isOwnCommand(commandIn(rawInput))
  }
}

/** Whether the agent may use a tool while it reads or writes the channel: those of its host's chat, and no others. */
export function channelMay({ kind, name, title }: ToolRequest): boolean {
  if (kind === 'think') return true
  return (
    foreign.includes(kind ?? 'other') &&
    /chat|channel|message|team|thread|post|repl|send/i.test(name ?? title ?? '')
  )
}

/** Every path that a request names, as far as it can be told from another text. */
function pathsIn({ locations, rawInput }: ToolRequest): string[] {
  const given = typeof rawInput === 'object' && rawInput !== null ? Object.values(rawInput) : [rawInput]
  const texts = given.flat().filter((one): one is string => typeof one === 'string')
  return [
    ...(locations ?? []).map((one) => one.path),
    ...texts.filter((text) => /^[/~]|^[a-z]:[\\/]|(?:^|[\\/])\.\.(?:[\\/]|$)/i.test(text)),
  ]
}

function isWithin(root: string, given: string): boolean {
  const inside = path.relative(root, path.resolve(root, given.replace(/^~(?=\/|$)/, os.homedir())))
  return !/^\.\.(?:[\\/]|$)/.test(inside) && !path.isAbsolute(inside)
}

function commandIn(input: unknown): readonly string[] | undefined {
  const { command, args } = (input ?? {}) as { command?: unknown; args?: unknown }
  const list = Array.isArray(command) ? command : typeof command === 'string' ? [command] : undefined
  if (list === undefined) return undefined
  const words = [...list, ...(Array.isArray(args) ? args : [])]
  if (!words.every((word) => typeof word === 'string')) return undefined
  if (words.length > 1) return words
  // quoted words may hold what a shell leaves alone there
  const [line] = words as [string]
  const bare = line.replace(/'[^']*'|"[^"]*"/g, (quoted) =>
    quoted.startsWith('"') && /[$`\\!]/.test(quoted) ? quoted : '',
  )
  if (shellSigns.test(bare)) return undefined
  try {
    return splitCommand(line)
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  }
}

function isOwnCommand(words: readonly string[] | undefined): boolean {
  if (words === undefined) return false
  const [program, command = 'help', ...rest] = words
  // another folder is another federation, an agent's command line is a command line, and files are elsewhere
  const leads = rest.some((word) =>
    /^--(?:dir|from|agent|sandbox|fix|output|body-file|prompt-file)(?:=|$)/.test(word),
  )
  return program === 'fed' && commands.has(command) && !leads
}
