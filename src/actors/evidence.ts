import { existsSync } from 'node:fs'
import path from 'node:path'
import type { AnyMachineSnapshot } from 'xstate'
import type { Evidence, TeamContext, TeamEvent } from '../../machines/team-event.ts'
import { FedError } from '../errors.ts'
import { git } from '../git.ts'
import { learnings } from '../learnings/learning-log.ts'
import { META } from '../protocol/team-id.ts'
import { codebaseHasCode } from './codebase.ts'
import { candidatesFor } from './decide.ts'
import { newestTestRun } from './test-runs.ts'
import { guardNames } from './transitions.ts'
import type { Actor } from './world.ts'

interface Asked {
  readonly actor: Actor
  readonly context: TeamContext
  readonly event: Pick<TeamEvent, 'type' | 'signal'>
}

type Gatherers = {
  readonly [Kind in keyof Evidence]-?: {
    readonly askedBy: readonly string[]
    readonly gather: (asked: Asked) => Evidence[Kind] | Promise<Evidence[Kind]>
  }
}

const gatherers: Gatherers = {
  existingPaths: {
    askedBy: ['namesExistingPath'],
    gather: ({ actor, event }) => existingPaths(actor.world.root, event.signal.body),
  },
  findings: {
    askedBy: ['hasFindings'],
    gather: ({ actor, context }) => {
      const since = Date.parse(context.mission?.at ?? '')
      return learnings(actor.workspace).filter(({ timestamp }) => Date.parse(timestamp) >= since).length
    },
  },
  deliverable: {
    askedBy: ['meetsStandards'],
    gather: async ({ actor: { world, workspace } }) => {
      // parsing Markdown is heavy and only this guard asks for it
      const { checkDeliverableFile } = await import('../deliverable/check-file.ts')
      const { problems, figures } = checkDeliverableFile(path.join(workspace, world.config.deliverable), {
        workspace,
        codebaseHasCode: codebaseHasCode(world.root),
      })
      return { problems: problems.map(({ line, message }) => ({ line, message })), figures: figures ?? null }
    },
  },
  branch: {
    askedBy: ['isAheadOfBase', 'isCommitted', 'testsPassedOnHead', 'headIsTested'],
    gather: ({ actor: { workspace, world } }) => {
      const [base, head] = [headOf(world.root), headOf(workspace)]
      if (base === undefined || head === undefined) return undefined
      return {
        head,
        ahead: Number(git(workspace, 'rev-list', '--count', `${base}..${head}`)),
        uncommitted: git(workspace, 'status', '--porcelain')
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => line.slice(3)),
      }
    },
  },
  testRun: { askedBy: ['testsPassedOnHead'], gather: ({ actor }) => newestTestRun(actor.workspace) },
  senderRegistered: {
    askedBy: ['fromRegistered'],
    gather: ({ actor, event: { signal } }) =>
      signal.from === META || actor.world.mailboxOf(signal.from) !== undefined,
  },
}

/** The present commit; undefined in a repository without one, which must refuse a milestone and not stop the team. */
function headOf(dir: string): string | undefined {
  try {
    return git(dir, 'rev-parse', '--verify', '--quiet', 'HEAD')
  } catch (error) {
    if (error instanceof FedError) return undefined
    throw error
  }
}

/** Gathers what the guards of the transitions meant for this event will ask for, and nothing else. */
export async function gatherEvidence(
  actor: Actor,
  snapshot: AnyMachineSnapshot,
  event: Asked['event'],
): Promise<Evidence> {
  const guards = new Set(candidatesFor(snapshot, event).flatMap(guardNames))
  const asked: Asked = { actor, context: snapshot.context as TeamContext, event }
  const evidence: Record<string, unknown> = {}
  for (const [kind, { askedBy, gather }] of Object.entries(gatherers)) {
    if (askedBy.some((guard) => guards.has(guard))) evidence[kind] = await gather(asked)
  }
  return evidence
}

const maxWords = 5000

/** Words of a text that are paths inside the codebase, in order, each once. */
function existingPaths(root: string, text: string): string[] {
  const words = text.split(/[\s"'`()<>[\]{},;|*]+/).slice(0, maxWords)
  const paths = words.map((word) => word.replace(/^\.\//, '').replace(/[.:!?]+$|:\d+(:\d+)?$/, ''))
  return [...new Set(paths)].filter((candidate) => {
    if (candidate === '' || candidate.includes('\0') || path.isAbsolute(candidate)) return false
    const relative = path.relative(root, path.resolve(root, candidate))
    return relative !== '' && !relative.startsWith('..') && existsSync(path.join(root, relative))
  })
}
