import { splitCommand } from '../sessions/agent-command.ts'
import { UsageError } from '../errors.ts'
import type { ToolRequest } from './agent-host.ts'

/** Kinds of tools that change nothing, in the words of the Agent Client Protocol. */
const reading = ['read', 'search', 'think', 'fetch']

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
 * Whether the meta coordinator's agent may use a tool: what only reads, and fed's own commands, each alone. It writes
 * no file and runs nothing else, whatever a message asked it to.
 */
export function coordinatorMay({ kind, rawInput }: ToolRequest): boolean {
  if (reading.includes(kind ?? 'other')) return true
  return kind === 'execute' && isOwnCommand(commandIn(rawInput))
}

/** Whether the agent may use a tool while it reads or writes the channel: also those of its host's chat. */
export function channelMay(tool: ToolRequest): boolean {
  const { kind, name, title } = tool
  if (reading.includes(kind ?? 'other')) return true
  return (
    (kind ?? 'other') === 'other' &&
    /chat|channel|message|team|thread|post|repl|send/i.test(name ?? title ?? '')
  )
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
  const bare = line.replace(/'[^']*'/g, '').replace(/"([^"$`\\!]*)"/g, '')
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
  // another folder is another federation, and an agent's command line is a command line
  const leads = rest.some((word) => /^--(?:dir|agent|fix|body-file|prompt-file)(?:=|$)/.test(word))
  return program === 'fed' && commands.has(command) && !leads
}
