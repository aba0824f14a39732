import { lstatSync } from 'node:fs'
import path from 'node:path'
import { v5 as uuidOf } from 'uuid'
import { RefusedError, UsageError } from '../../errors/fed-error.ts'
import { inOneLine, printable } from '../../errors/printable.ts'
import { toldOf } from '../../errors/tray-errors.ts'
import { unless } from '../../errors/unless.ts'
import { Federation } from '../../federation/federation.ts'
import { assertSameTeam } from '../../federation/same-team.ts'
import { say } from '../../federation/send-checked.ts'
import { HeldFolder } from '../../platform/storage/held-folder.ts'
import { readOutside, type OutsideFile } from '../../platform/storage/outside-file.ts'
import { isSystemError } from '../../platform/storage/system-error.ts'
import { describeProblems } from '../../protocol/problems.ts'
import { presentMs } from '../../protocol/clock.ts'
import { refusalFor, type Target } from '../../protocol/rights.ts'
import { META } from '../../protocol/team-id.ts'
import { watchDirectory } from '../../records/signals/watch.ts'
import {
  answerFormat,
  largestRequest,
  progressName,
  requestFormat,
  trayName,
  type TrayAnswer,
  type TrayRequest,
} from '../../protocol/tray.ts'
import type { Caller, Request } from '../requests/request.ts'

/** Namespace of the ids of signals that requests make. */
const TRAY = '5a2c9d7e-3b18-4f60-9a41-c7d2e8b0f316'

const nameOfRequest = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.json$/

/** Most that a running request says to people, in bytes; its log has all. */
const mostProgress = 1_048_576

/** The session whose tray is served: who speaks by it is decided here, and not by what lies in it. */
export interface Post {
  readonly root: string
  readonly team: string
  /** When the team was onboarded, ISO 8601. */
  readonly since: string
  readonly workspace: string
  readonly mission: number
  readonly number: number
  /** When the session began, ISO 8601. */
  readonly began: string
}

/** The two ends of a session's tray, held open. */
export interface TrayFolders {
  readonly tray: HeldFolder
  readonly answers: HeldFolder
  close(): void
  /** Removes both with what they hold. */
  remove(): void
}

/** Opens both ends of a session's tray, and makes them where there are none. */
export function openTray(workspace: string, session: { mission: number; number: number }): TrayFolders {
  const held: HeldFolder[] = []
  const open = (folder: HeldFolder) => {
    held.push(folder)
    return folder
  }
  const close = () => held.splice(0).forEach((folder) => folder.close())
  try {
    const fed = open(HeldFolder.open(path.join(workspace, '.fed')))
    const name = trayName(session)
    const both = [open(fed.make('tray')), open(fed.make('answers'))] as const
    const [tray, answers] = [open(both[0].make(name)), open(both[1].make(name))]
    const remove = () => both.forEach((folder) => folder.remove(name))
    return { tray, answers, close, remove }
  } catch (error) {
    close()
    throw error
  }
}

/**
 * Serves the tray of a session: reads each request once, believes nothing of it but what is wanted, checks that an
 * agent may, carries it out as the session's team, and answers. Killed anywhere, whoever serves the tray next does
 * the rest: what a request does it does once, however often it is carried out.
 */
export class Postman {
  readonly #post: Post
  readonly #requests: ReadonlyMap<string, Request>
  readonly #folders: TrayFolders
  readonly #underWay = new Map<string, Promise<void>>()
  readonly #gone = new AbortController()

  constructor(post: Post, requests: ReadonlyMap<string, Request>) {
    this.#post = post
    this.#requests = requests
    this.#folders = openTray(post.workspace, post)
  }

  /** Serves what comes, until `end`. */
  serve(): { readonly end: () => Promise<void> } {
    const look = () => void this.#takeAll()
    const stop = watchDirectory(this.#folders.tray.path, look)
    look()
    return {
      end: async () => {
        stop()
        this.#gone.abort()
        await this.#drain()
        this.#folders.close()
      },
    }
  }

  /** Serves what a dead launcher has left, and removes the tray. */
  async finish(): Promise<void> {
    this.#gone.abort()
    await this.#drain()
    this.#folders.remove()
    this.#folders.close()
  }

  /** Serves what lies there, until there is nothing that was not tried. */
  async #drain(): Promise<void> {
    const tried = new Set<string>()
    for (;;) {
      for (const name of this.#takeAll(tried)) tried.add(name)
      if (this.#underWay.size === 0) return
      await Promise.all(this.#underWay.values())
    }
  }

  /** Begins to serve whatever is not under way, in the order in which it was asked; returns its names. */
  #takeAll(without: ReadonlySet<string> = new Set()): string[] {
    const { tray } = this.#folders
    const taken = tray
      .list()
      .filter((name) => nameOfRequest.test(name) && !this.#underWay.has(name) && !without.has(name))
      .map((name) => ({ name, at: lstatSync(tray.at(name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
      .toSorted((a, b) => a.at - b.at)
    for (const { name } of taken)
      this.#underWay.set(
        name,
        this.#serve(name).finally(() => this.#underWay.delete(name)),
      )
    return taken.map(({ name }) => name)
  }

  /** Never rejects: what cannot be answered stays, and is tried again. */
  async #serve(name: string): Promise<void> {
    const { tray, answers } = this.#folders
    const id = name.slice(0, -'.json'.length)
    try {
      // answered before, by a postman that was killed before it took the request away
      if (!answers.holds(name)) {
        const answer = await this.#answerTo(
          id,
          readOutside(tray.at(name), { largestBytes: largestRequest, followLinks: false }),
        )
        if (answer === undefined) return
        answers.put(name, answerFormat.textOf(answer))
      }
      tray.remove(name)
    } catch (error) {
      // a full disk, above all; whoever asked goes on waiting, and the next look tries again
      if (!isSystemError(error)) throw error
    }
  }

  async #answerTo(id: string, file: OutsideFile): Promise<TrayAnswer | undefined> {
    if (file.kind === 'missing') return undefined
    try {
      if (file.kind === 'fault')
        throw new UsageError(`a request must be a plain file: ${id}.json is ${file.fault}`)
      const request = requestFormat.decode(parsed(file.text, id), `${id}.json`)
      if (request.id !== id)
        throw new UsageError(`the request ${id}.json says that it is ${printable(request.id)}`)
      // whatever the agent made of the file's time: no later than now, no earlier than its session
      const at = Math.max(Math.min(file.stat.mtimeMs, presentMs()), Date.parse(this.#post.began))
      return { value: await this.#carryOut(request, new Date(at).toISOString()) }
    } catch (error) {
      return { error: toldOf(error) }
    }
  }

  /** @param timestamp when it was asked, ISO 8601. */
  async #carryOut({ id, verb, as, args }: TrayRequest, timestamp: string): Promise<unknown> {
    const { root, team, since, mission, number } = this.#post
    // opened anew: its configuration may have changed since the session began
    const federation = new Federation(root)
    assertSameTeam(federation.registry, team, since)
    const refused = refusalOf(federation, team, { verb, as, args })
    if (refused !== undefined) {
      await this.#tellMeta(federation, verb, refused)
      throw new RefusedError(`${refused}; nothing was changed ('fed rights' shows who may what)`)
    }
    const request = this.#requests.get(verb)
    if (request === undefined) throw new UsageError(`there is no request '${printable(verb)}'`)
    const input = request.input.safeParse(args)
    if (!input.success) throw new UsageError(describeProblems(input.error))
    const caller: Caller = {
      federation,
      address: team,
      watch: this.#watchOf(id),
      once: { id: uuidOf(`${team}/${since}/${mission}-${number}/${id}`, TRAY), timestamp },
    }
    return request.carryOut(caller, input.data)
  }

  /** Tells `meta` what an agent asked that it may not: of a mission each thing once, however often it is tried. */
  async #tellMeta(federation: Federation, verb: string, refused: string): Promise<void> {
    const { team, mission, since } = this.#post
    const timestamp = (await federation.team(team)).present().context.mission?.at ?? since
    await say(federation, {
      from: team,
      to: META,
      type: 'alert',
      subject: `Refused: fed ${verb}`,
      body: `The agent of ${team} asked for 'fed ${verb}'. It was refused, and nothing was changed: ${refused}`,
      id: uuidOf(`${team}/${since}/${mission}/refused ${verb}`, TRAY),
      timestamp,
    })
  }

  /** Passes on what a request says to people while it takes long. */
  #watchOf(id: string): Caller['watch'] {
    let rest = mostProgress
    const onOutput = (chunk: Buffer) => {
      const part = chunk.subarray(0, rest)
      rest -= part.length
      // nobody is kept from anything by it
      unless(isSystemError, () => this.#folders.answers.append(progressName(id), part))
    }
    return { signal: this.#gone.signal, onOutput, onBegin: (words) => onOutput(Buffer.from(`· ${words}\n`)) }
  }
}

function parsed(text: string, id: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${id}.json is no JSON: ${inOneLine((error as Error).message)}`)
  }
}

/** Why the agent of a team may not; undefined where it may. */
function refusalOf(
  federation: Federation,
  team: string,
  { verb, as, args }: Pick<TrayRequest, 'verb' | 'as' | 'args'>,
): string | undefined {
  const targetOf = (name: unknown): Target => {
    const address = typeof name === 'string' ? federation.addressOf(name) : team
    return address === team ? 'own' : address === META ? 'meta' : 'other'
  }
  const never = refusalFor(verb, 'own')
  if (never !== undefined) return `'fed ${printable(verb)}': ${never}`
  if (targetOf(as) !== 'own')
    return `an agent speaks as its own team, which is ${team}, and not as ${printable(as ?? '')}`
  return verb === 'send' ? refusalFor(verb, targetOf(args['to'])) : undefined
}
