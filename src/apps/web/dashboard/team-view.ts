import path from 'node:path'
import { FedError } from '../../../errors/fed-error.ts'
import { learnings } from '../../../records/learnings/learning-log.ts'
import { categoryOf, confidenceOf, shownWord } from '../../../protocol/learning.ts'
import { waitsFor } from '../../../agents/sessions/open-questions.ts'
import { unreadable } from '../../../monitor/health.ts'
import { lookAt } from '../../../monitor/look-at-team.ts'
import { isAlive } from '../../../monitor/session-health.ts'
import { healthOf } from '../../../monitor/team-health.ts'
import { workspaceLayout } from '../../../protocol/folder-layout.ts'
import type { RegistryEntry } from '../../../protocol/registry-schema.ts'
import { bytesAt, readLogTimes, timesFile } from '../../../platform/process/log-times.ts'
import {
  describeSpent,
  figuresInWords,
  nothingSpent,
  sumOfSpent,
  usageOf,
  type Spent,
} from '../../../agents/usage/session-usage.ts'
import { describeHold, listSessions, logFile } from '../../../agents/sessions/session-record.ts'
import { disk } from '../../../platform/storage/disk.ts'
import type { Team } from '../../../federation/team.ts'
import { spineOf } from './charts.ts'
import { Life, noPast } from './life-view.ts'
import { readLog } from './log.ts'
import { Mail } from './mail-view.ts'
import type {
  PastPart,
  Product,
  ShownAcceptance,
  ShownLearning,
  ShownLife,
  ShownLog,
  ShownMail,
  ShownSession,
  TeamNews,
  TeamNow,
} from './shown.ts'

/** What the page shows of one team, read from its files and never written. */
export class TeamView {
  readonly team: Team
  readonly #life: Life
  readonly #mail: Mail
  /** Whether its agent ran when it was looked at last: then its end has to be looked for. */
  isWorking = false

  constructor(team: Team) {
    this.team = team
    this.#life = new Life(team.actor)
    this.#mail = new Mail(team.mailbox)
  }

  /** What there is to tell of the team since this was asked last. */
  news(entry: RegistryEntry, present: number): TeamNews {
    const { until } = this.#life.whole()
    try {
      const past = this.#life.catchUp()
      return { ...this.#now(entry, present), past }
    } catch (error) {
      const past = { ...noPast, after: until, until }
      return { ...unseen(entry, error), spine: spineOf(this.team), past }
    }
  }

  /** All that `news` told of its past. */
  past(): PastPart {
    return this.#life.whole()
  }

  /** The team as it is now; one that cannot be read says why. */
  #now(entry: RegistryEntry, present: number): TeamNow {
    const { domainId: team, archetypeId: archetype, status = 'active' } = entry
    const spine = spineOf(this.team)
    try {
      const facts = lookAt(this.team.actor)
      const waiting = this.team.mailbox.unacknowledged(facts.waiting)
      const { state, phase, waits, version, started, quarantined, session } = facts
      this.isWorking = session !== undefined && !(session instanceof FedError) && isAlive(session)
      return {
        ...{ team, archetype, status, state, phase, waits, version, started, quarantined },
        product: productOf(entry, this.team),
        waiting: waiting.length,
        working: this.isWorking,
        asks: waitsFor(facts.asks)?.to ?? null,
        findings: healthOf(entry, { team: this.team, facts, waiting }, present),
        spine,
      }
    } catch (error) {
      return { ...unseen(entry, error), spine }
    }
  }

  /** Commits that `news` told of after a version; all of them where that one is not known. */
  life(after: number): ShownLife {
    const { commits } = this.#life
    const known = commits.findLastIndex(({ version }) => version === after)
    return { whole: known < 0, commits: commits.slice(known + 1) }
  }

  /** @param moment what lay there then; undefined for now. */
  mail(moment?: number): ShownMail {
    return moment === undefined ? this.#mail.read() : this.#mail.readAt(moment)
  }

  findings(): ShownLearning[] {
    return learnings(this.team.actor.workspace).map((one) => ({
      at: Date.parse(one.timestamp),
      category: shownWord(categoryOf(one), one.category),
      confidence: shownWord(confidenceOf(one), one.confidence),
      isSure: confidenceOf(one) === 'high',
      tags: one.tags,
      content: one.content,
    }))
  }

  /** Sessions of all missions, the oldest first. */
  sessions(): ShownSession[] {
    const spent = new Map<number, Spent>()
    return this.#sessionFolders()
      .flatMap((dir) => listSessions(dir).map((session) => ({ dir, session })))
      .toSorted((a, b) => a.session.mission - b.session.mission || a.session.number - b.session.number)
      .map(({ dir, session }) => {
        const { mission, number, agent, at, end } = session
        const own = usageOf(dir, session)
        const all = sumOfSpent([spent.get(mission) ?? nothingSpent, own])
        spent.set(mission, all)
        return {
          mission,
          number,
          agent,
          at: Date.parse(at),
          end: end === undefined ? null : { ...end, at: Date.parse(end.at) },
          running: isAlive(session),
          used: figuresInWords(own),
          usedByMission: describeSpent(all),
          isConfined: session.open === null,
          hold: describeHold(session),
        }
      })
  }

  /**
   * A part of what an agent printed.
   * @param from in bytes; below zero it is counted from the end.
   * @param moment only what was printed until then; undefined for all.
   */
  log(session: Pick<ShownSession, 'mission' | 'number'>, from: number, moment?: number): ShownLog {
    for (const dir of this.#sessionFolders()) {
      const times = moment === undefined ? [] : readLogTimes(timesFile(dir, session))
      const until = moment === undefined || times.length === 0 ? undefined : bytesAt(times, moment)
      const log = readLog(logFile(dir, session), from, until)
      if (log !== undefined) return { ...log, isAsThen: moment === undefined || until !== undefined }
    }
    return { from: 0, to: 0, size: 0, text: '', isAsThen: true }
  }

  /** Present sessions first, then those that resets put away. */
  #sessionFolders(): string[] {
    const { sessions, missions } = workspaceLayout(this.team.actor.workspace)
    const put = disk.list(missions).filter((name) => /^\d+$/.test(name))
    return [sessions, ...put.map((mission) => path.join(missions, mission, 'sessions'))].filter((dir) =>
      disk.exists(dir),
    )
  }

  /** Absolute path of the document of a mission. */
  deliverableFile(mission: number): string {
    const { actor, deliverableFile } = this.team
    const kept = path.join(
      workspaceLayout(actor.workspace).missions,
      String(mission),
      path.basename(deliverableFile),
    )
    return this.team.present().missionNumber === mission ? deliverableFile : kept
  }

  async accepts(): Promise<readonly ShownAcceptance[]> {
    return this.team.accepts()
  }
}

function productOf({ placementType }: RegistryEntry, { archetype }: Team): Product | null {
  if (archetype.delivers) return 'document'
  return placementType === 'worktree' ? 'changes' : null
}

/** A team of which nothing can be said but why. */
export function unseen(entry: RegistryEntry, error: unknown): TeamNow {
  const { domainId: team, archetypeId: archetype, status = 'active' } = entry
  return {
    ...{ team, archetype, status, state: null, phase: null, waits: false, version: 0 },
    ...{ started: true, product: null, waiting: 0, quarantined: 0, working: false, asks: null, spine: [] },
    findings: [unreadable(entry, error)],
  }
}
