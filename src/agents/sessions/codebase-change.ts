import { realpathSync } from 'node:fs'
import path from 'node:path'
import { v5 as uuidOf } from 'uuid'
import { unless } from '../../errors/unless.ts'
import type { Actor } from '../../engine/step/world.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import { META } from '../../protocol/team-id.ts'
import { compose } from '../../records/signals/compose.ts'
import { deliverAll } from '../../records/signals/deliver.ts'
import { printable } from '../../errors/printable.ts'
import type { Team } from '../../federation/team.ts'
import { listSessions, type Session, type SessionRecord } from './session-record.ts'
import type { Reported } from './session-reports.ts'

/** Namespace of the ids of the messages to `meta` about a changed codebase. */
const NAMESPACE = '5f0b7a34-9a55-4a5e-8a0e-7f4f3a2e6b1c'

/** Subject of the alert that fails a mission because its agent wrote although it only reads. */
const MODIFIED = 'codebase-modified'

/** Most changes that the message to `meta` names; the patch has all. */
const mostNamed = 20

/**
 * Who changed the codebase while an agent that only reads it was at work. `agent`: its own tool calls say so;
 * `somebody else`: the codebase was read-only for the agent; `unknown`: neither can be told.
 */
type Author = 'agent' | 'somebody else' | 'unknown'

/** One thing that differs from what was found before a session. */
export interface Found {
  /** The difference in words, such as `M src/app.ts`. */
  readonly line: string
  /** Absolute path of the file that differs, where it is one file. */
  readonly file?: string
  /** Whether the place was mounted read-only for the agent. */
  readonly isConfined: boolean
}

/** What changed in the codebase while an agent that only reads it was at work. */
export interface CodebaseChange {
  /** One line for each difference, such as `M src/app.ts`. */
  readonly changes: readonly string[]
  /** Absolute path of the patch. */
  readonly patch: string
  /** Changed files that the agent's own tool calls wrote, as far as it reports them; relative paths. */
  readonly byAgent: readonly string[]
  readonly author: Author
  /** The author as part of a sentence. */
  readonly whoDidIt: string
  /** Whether the team is paused because of the change; false when the mission had ended by then. */
  readonly isPaused: boolean
}

/**
 * Reacts to a change of the codebase. If the agent's own tool calls made it, the mission fails. If the
 * codebase was read-only for the agent and the agent reports no such write, only `meta` is told. Else the
 * team is paused and `meta` is asked. A mission that has ended by then stays as it is, and `meta` is told.
 * @param wrote what the agent's own tool calls wrote.
 */
export async function answerChange(
  team: Team,
  session: SessionRecord,
  { found, patch }: { found: readonly Found[]; patch: string },
  wrote: Reported['wrote'],
): Promise<CodebaseChange> {
  const { workspace, world } = team.actor
  const isOwnTree = world.registry.entry(team.id).placementType === 'worktree'
  // an agent names files as seen from where it works
  const cwd = isOwnTree ? workspace : world.root
  const paths = wrote.flatMap(({ path: file }) => file ?? [])
  const written = new Set(paths.map((file) => placeOf(path.resolve(cwd, file))))
  const claimed = found.filter(({ file }) => file !== undefined && written.has(placeOf(file)))
  const byAgent = claimed.flatMap(({ file }) => file ?? []).map((file) => path.relative(cwd, file))
  const author = authorOf(found, claimed)
  const who = whoDidIt(session, author, claimed)
  const isOpen = !team.present().finished && team.present().missionNumber === session.mission
  if (isOpen && author === 'agent') await team.tell(violation(byAgent, patch))
  if (isOpen && author === 'unknown' && !team.present().paused) {
    const words = `the codebase changed while its agent worked, and ${who}`
    await team.direct('pause', `${words}; the patch is in ${patch}, and 'fed inbox meta' says how to go on`)
  }
  const change: CodebaseChange = {
    changes: found.map(({ line }) => printable(line, Infinity)),
    patch,
    byAgent,
    author,
    whoDidIt: who,
    isPaused: isOpen && author === 'unknown' && team.present().paused,
  }
  if (!isFailedFor(team)) await tellMeta(team, session, change)
  return change
}

function authorOf(found: readonly Found[], claimed: readonly Found[]): Author {
  if (claimed.some(({ isConfined }) => !isConfined)) return 'agent'
  // an agent that claims to have written what was read-only for it is neither believed nor ignored
  if (claimed.length > 0) return 'unknown'
  return found.every(({ isConfined }) => isConfined) ? 'somebody else' : 'unknown'
}

function whoDidIt(
  { end }: SessionRecord & Partial<Session>,
  author: Author,
  claimed: readonly Found[],
): string {
  if (author === 'agent') return 'its own tool calls did it'
  // other programs write for whoever asks them, so this is all that is known
  if (author === 'somebody else') return 'the codebase was mounted read-only for its agent'
  if (claimed.length > 0)
    return 'its agent says that it did, although the codebase was mounted read-only for it'
  return end?.cause === 'lost'
    ? 'who did it is not known, nor whether it was later, because its launcher was killed'
    : 'who did it is not known'
}

/** A file's path with the links in its folder's path followed; as given where that is impossible. */
function placeOf(file: string): string {
  return (
    unless(['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'], () =>
      path.join(realpathSync(path.dirname(file)), path.basename(file)),
    ) ?? file
  )
}

function violation(byAgent: readonly string[], patch: string) {
  const body = `the agent, which only reads, wrote ${byAgent.slice(0, 3).join(', ')}; nothing was undone, the patch is in ${patch}`
  return { type: 'alert', subject: MODIFIED, body } as const
}

/** Whether the mission failed because its agent wrote: then the report of that transition has told `meta`. */
function isFailedFor(team: Team): boolean {
  return team.present().context.failure?.event === `alert.${MODIFIED}`
}

/** The first three changes and the number of the others, in one line for people. */
export function describeChanges({ changes }: Pick<CodebaseChange, 'changes'>): string {
  const named = changes.slice(0, 3).join(', ')
  return changes.length <= 3 ? named : `${named} and ${changes.length - 3} more`
}

/** The commands with which a person decides what follows a change, as part of a sentence. */
export function choicesAfter({ id }: Team): string {
  return `'fed resume ${id}' and 'fed launch --team ${id}' go on, 'fed alert codebase-modified --team ${id}' ends the mission`
}

function idOfNotice(team: string, { mission, number }: Pick<SessionRecord, 'mission' | 'number'>): string {
  return uuidOf(`${team}/${mission}-${number}`, NAMESPACE)
}

/**
 * Whether an id is of fed's own message to `meta` about a change, and not of one that the agent sent. It
 * waits for no answer: whoever resumes the team has decided.
 */
export function asksAboutChange({ team, workspace }: Pick<Actor, 'team' | 'workspace'>, id: string): boolean {
  return listSessions(workspaceLayout(workspace).sessions).some((session) => idOfNotice(team, session) === id)
}

async function tellMeta(team: Team, session: SessionRecord, change: CodebaseChange): Promise<void> {
  const meta = team.actor.world.mailboxOf(META)
  if (meta === undefined) return
  const { changes, patch, author, isPaused } = change
  const more = changes.length > mostNamed ? [`and ${changes.length - mostNamed} more`] : []
  const unasked = author === 'somebody else' ? 'report' : 'alert'
  const signal = compose({
    from: team.id,
    to: META,
    type: isPaused ? 'question' : unasked,
    subject: 'Codebase changed during a session',
    body: [
      `While the agent of '${team.id}' worked, which only reads, the codebase changed; ${change.whoDidIt}. Nothing was undone.`,
      '',
      ...changes.slice(0, mostNamed).map((line) => `- ${line}`),
      ...more,
      '',
      `The patch is in ${patch}.`,
      ...(isPaused ? [`The team is paused: ${choicesAfter(team)}.`] : []),
    ].join('\n'),
    id: idOfNotice(team.id, session),
  })
  await deliverAll([{ signal, from: team.mailbox, to: meta }])
}
