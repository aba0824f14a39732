import path from 'node:path'
import fs from 'fs-extra'
import { v5 as uuidOf } from 'uuid'
import { differences, fingerprint, patchBetween } from '../codebase/fingerprint.ts'
import { repositoryRoot } from '../git.ts'
import { workspaceLayout } from '../protocol/layout.ts'
import { META } from '../protocol/team-id.ts'
import { compose } from '../signals/compose.ts'
import { deliverAll } from '../signals/send.ts'
import { disk } from '../storage/disk.ts'
import type { Team } from '../teams/team.ts'
import { knownAuthor } from './sandbox.ts'
import { changesFile, type SessionRecord } from './session-record.ts'

/** Namespace of the ids of what a team says about its codebase. */
const NAMESPACE = '5f0b7a34-9a55-4a5e-8a0e-7f4f3a2e6b1c'

/** Subject of the alert by which a mission ends whose agent wrote. */
const MODIFIED = 'codebase-modified'

/** So many changes are named; the patch has all. */
const mostNamed = 20

/** What changed in the codebase while an agent that only reads it was at work. */
export interface CodebaseChange {
  /** A line each. */
  readonly changes: readonly string[]
  /** Absolute path of the patch. */
  readonly patch: string
  /** Which of these files the agent's own tool calls wrote, as far as it tells what it does. */
  readonly byAgent: readonly string[]
  /** Whether the team was paused for it; a mission that had ended by then stays as it is. */
  readonly isPaused: boolean
}

/**
 * Looks at the codebase again, once; undefined when it is as it was.
 * @param wrote paths that the agent's own tool calls wrote.
 */
export type CodebaseWatch = (wrote: readonly string[]) => Promise<CodebaseChange | undefined>

/**
 * Looks at the codebase before the agent of a session goes on that only reads; what it returns looks again when
 * the agent is gone. Where its own tool calls wrote what changed, the mission fails. Else who did it is unknown (the
 * agent, a person, another program), so the team pauses and asks `meta`. Undoing is left to the person.
 * @throws {FedError} when git cannot look.
 */
export function watchCodebase(team: Team, session: SessionRecord): CodebaseWatch {
  const { codebase, sessions } = workspaceLayout(team.actor.workspace)
  const store = { root: repositoryRoot(team.actor.world.root), folder: codebase }
  // what a killed launcher remembered
  fs.removeSync(codebase)
  const before = fingerprint(store)
  return async (wrote) => {
    const patch = changesFile(sessions, session)
    let changes: string[]
    try {
      const after = fingerprint(store)
      changes = differences(store, before, after)
      if (changes.length === 0) return undefined
      const header = changes.map((line) => `# ${line}\n`).join('')
      disk.create(patch, `${header}${patchBetween(store, before, after)}\n`)
    } finally {
      fs.removeSync(codebase)
    }
    const byAgent = filesIn(changes).filter((name) =>
      wrote.some((file) => path.resolve(store.root, file) === path.join(store.root, name)),
    )
    if (!team.present().finished) {
      if (byAgent.length === 0) await team.direct('pause', '')
      else await team.tell(violation(byAgent, patch))
    }
    const change = { changes, patch, byAgent, isPaused: team.present().paused }
    if (!isFailedFor(team)) await tellMeta(team, session, change)
    return change
  }
}

/** Names of the files in lines such as `M src/app.ts`. */
function filesIn(changes: readonly string[]): string[] {
  return changes.flatMap((line) => /^[A-Z]\d*\s+(.+)$/.exec(line)?.[1] ?? [])
}

function violation(byAgent: readonly string[], patch: string) {
  const body = `the agent, which only reads, wrote ${byAgent.slice(0, 3).join(', ')}; nothing was undone, the patch is in ${patch}`
  return { type: 'alert', subject: MODIFIED, body } as const
}

/** Then `meta` has heard it by the report of the transition. */
function isFailedFor(team: Team): boolean {
  return team.present().context.failure?.event === `alert.${MODIFIED}`
}

/** One line of what changed, for people. */
export function describeChanges({ changes }: CodebaseChange): string {
  const named = changes.slice(0, 3).join(', ')
  return changes.length <= 3 ? named : `${named} and ${changes.length - 3} more`
}

/** What the person can do about it. */
export function choicesAfter({ id }: Team): string {
  return `'fed resume ${id}' and 'fed launch --team ${id}' go on, 'fed alert codebase-modified --team ${id}' ends the mission`
}

async function tellMeta(
  team: Team,
  session: SessionRecord,
  { changes, patch, byAgent, isPaused }: CodebaseChange,
): Promise<void> {
  const meta = team.actor.world.mailboxOf(META)
  if (meta === undefined) return
  const more = changes.length > mostNamed ? [`and ${changes.length - mostNamed} more`] : []
  const signal = compose({
    from: team.id,
    to: META,
    type: isPaused ? 'question' : 'alert',
    subject: 'Codebase changed during a session',
    body: [
      `While the agent of '${team.id}' worked, which only reads, the codebase changed; ${byAgent.length > 0 ? 'its own tool calls did it' : knownAuthor(session)}. Nothing was undone.`,
      '',
      ...changes.slice(0, mostNamed).map((line) => `- ${line}`),
      ...more,
      '',
      `The patch is in ${patch}.`,
      ...(isPaused ? [`The team is paused: ${choicesAfter(team)}.`] : []),
    ].join('\n'),
    id: uuidOf(`${team.id}/${session.mission}-${session.number}`, NAMESPACE),
  })
  await deliverAll([{ signal, from: team.mailbox, to: meta }])
}
