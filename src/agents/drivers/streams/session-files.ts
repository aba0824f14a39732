import os from 'node:os'
import path from 'node:path'
import { unless } from '../../../errors/unless.ts'
import { disk } from '../../../platform/storage/disk.ts'
import { isSystemError } from '../../../platform/storage/system-error.ts'
import { amountAt, at, textAt } from './json.ts'

/** What an agent's own file of a session tells, line by line: for agents whose output says it only at the end. */
export interface SessionFile {
  /** Where it is; undefined while there is none. */
  find(session: string, env: NodeJS.ProcessEnv): string | undefined
  /**
   * Makes a reader of its lines, which answers with the tokens that were used up so far: in the lines that it was
   * given, or, where `tells` says `session`, in all of the session.
   */
  reader(): (line: object) => number | undefined
  readonly tells: 'run' | 'session'
}

/** Agents name their sessions in many ways, but never by a path. */
const isName = /^[\w-]{8,100}$/

function folderOf(env: NodeJS.ProcessEnv, variable: string, name: string): string {
  return env[variable] || path.join(env.HOME || os.homedir(), name)
}

function namesIn(folder: string): string[] {
  return unless(isSystemError, () => disk.list(folder)) ?? []
}

/** The newest file below folders for years, months and days. */
function newestBelow(folder: string, depth: number, isMeant: (name: string) => boolean): string | undefined {
  for (const name of namesIn(folder).toSorted().toReversed()) {
    const file = path.join(folder, name)
    if (depth > 0) {
      const found = /^\d+$/.test(name) ? newestBelow(file, depth - 1, isMeant) : undefined
      if (found !== undefined) return found
    } else if (isMeant(name)) return file
  }
  return undefined
}

/** `rollout-<time>-<session>.jsonl` by day; each answer of the model adds the totals of the session. */
const codex: SessionFile = {
  tells: 'session',
  find: (session, env) =>
    newestBelow(path.join(folderOf(env, 'CODEX_HOME', '.codex'), 'sessions'), 3, (name) =>
      name.endsWith(`-${session}.jsonl`),
    ),
  reader: () => (line) => {
    if (textAt(line, 'payload', 'type') !== 'token_count') return undefined
    return amountAt(line, 'payload', 'info', 'total_token_usage', 'total_tokens') || undefined
  },
}

/** `chats/session-<time>-<begin of the session>.jsonl` by project; a message comes again when it has changed. */
const gemini: SessionFile = {
  tells: 'run',
  find(session, env) {
    const projects = path.join(folderOf(env, 'GEMINI_CLI_HOME', ''), '.gemini', 'tmp')
    const ending = `-${session.slice(0, 8)}.jsonl`
    for (const project of namesIn(projects)) {
      const chats = path.join(projects, project, 'chats')
      const found = namesIn(chats).findLast((name) => name.startsWith('session-') && name.endsWith(ending))
      if (found !== undefined) return path.join(chats, found)
    }
    return undefined
  },
  reader() {
    const messages = new Map<string, number>()
    return (line) => {
      const [id, tokens] = [textAt(line, 'id'), amountAt(line, 'tokens', 'total')]
      if (id === undefined || tokens === 0) return undefined
      messages.set(id, tokens)
      return sumOf(messages)
    }
  },
}

/** `session-state/<session>/events.jsonl`; each answer of the model has a record, side calls too. */
const copilot: SessionFile = {
  tells: 'run',
  find: (session, env) =>
    path.join(folderOf(env, 'COPILOT_HOME', '.copilot'), 'session-state', session, 'events.jsonl'),
  reader() {
    const calls = new Map<string, number>()
    return (line) => {
      if (textAt(line, 'type') !== 'session.usage_record') return undefined
      const usage = at(line, 'data', 'usage')
      const tokens = amountAt(usage, 'inputTokens') + amountAt(usage, 'outputTokens')
      calls.set(textAt(usage, 'accounting', 'usageId') ?? String(calls.size), tokens)
      return sumOf(calls)
    }
  },
}

function sumOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, one) => sum + one, 0)
}

const files: Readonly<Record<string, SessionFile>> = { codex, gemini, copilot }

/** The file that an agent keeps of a session; undefined for an agent whose output tells enough. */
export function sessionFileOf(format: string, session: string): SessionFile | undefined {
  return isName.test(session) ? files[format] : undefined
}
