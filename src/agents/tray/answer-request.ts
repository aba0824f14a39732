import { v5 as uuidOf } from 'uuid'
import { RefusedError, UsageError } from '../../errors/fed-error.ts'
import { inOneLine, printable } from '../../errors/printable.ts'
import { toldOf } from '../../errors/tray-errors.ts'
import { unless } from '../../errors/unless.ts'
import { Federation } from '../../federation/federation.ts'
import { assertSameTeam } from '../../federation/same-team.ts'
import { say } from '../../federation/send-checked.ts'
import { readOutside, type OutsideFile } from '../../platform/storage/outside-file.ts'
import { appendPlain } from '../../platform/storage/plain-file.ts'
import { Folder } from '../../platform/storage/open-folder.ts'
import { isSystemError } from '../../platform/storage/system-error.ts'
import { presentMs } from '../../protocol/clock.ts'
import { refusalFor, type Target } from '../../protocol/rights-table.ts'
import { META } from '../../protocol/team-id.ts'
import {
  answerFormat,
  largestRequest,
  progressName,
  requestFormat,
  type TrayAnswer,
  type TrayRequest,
} from '../../protocol/tray.ts'
import { takeOverFor } from '../sessions/private-repository.ts'
import { inputFor, type Caller, type Request } from '../requests/request.ts'

/** Namespace of the ids of signals that requests make. */
const TRAY = '5a2c9d7e-3b18-4f60-9a41-c7d2e8b0f316'

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
  /** Program that makes walls, where what the agent commits has to be taken over. */
  readonly walls?: string | undefined
}

/** A request that lies in a tray. */
export interface TrayTask {
  readonly post: Post
  /** Paths by which both ends of the tray are reached in this process. */
  readonly tray: string
  readonly answers: string
  /** Name of the request's file. */
  readonly name: string
}

/**
 * Reads a request once, believes nothing of it but what is wanted, checks that an agent may, carries it out as the
 * session's team, writes the answer and takes the request away. What cannot be answered stays.
 * @param signal ends what takes long: whoever asked is gone.
 */
export async function answerRequest(
  { post, tray, answers, name }: TrayTask,
  requests: ReadonlyMap<string, Request>,
  signal: AbortSignal,
): Promise<void> {
  const [asked, told] = [Folder.reachedBy(tray), Folder.reachedBy(answers)]
  const id = name.slice(0, -'.json'.length)
  try {
    // answered before, by a postman that was killed before it took the request away
    if (!told.holds(name)) {
      const file = readOutside(asked.at(name), { largestBytes: largestRequest, followLinks: false })
      if (file.kind === 'missing') return
      const answer = await answerTo(file, id, { post, requests, watch: watchOf(told, id, signal) })
      told.put(name, answerFormat.textOf(answer))
    }
    asked.remove(name)
  } catch (error) {
    // a full disk, above all; whoever asked goes on waiting, and the next look tries again
    if (!isSystemError(error)) throw error
  }
}

interface Service {
  readonly post: Post
  readonly requests: ReadonlyMap<string, Request>
  readonly watch: Caller['watch']
}

async function answerTo(
  file: Exclude<OutsideFile, { readonly kind: 'missing' }>,
  id: string,
  service: Service,
): Promise<TrayAnswer> {
  try {
    if (file.kind === 'fault')
      throw new UsageError(`a request must be a plain file: ${id}.json is ${file.fault}`)
    const request = requestFormat.decode(parsed(file.text, id), `${id}.json`)
    if (request.id !== id)
      throw new UsageError(`the request ${id}.json says that it is ${printable(request.id)}`)
    // the time that an agent cannot set; no later than now, no earlier than its session, whatever became of the clock
    const at = Math.max(Math.min(file.stat.ctimeMs, presentMs()), Date.parse(service.post.began))
    return { value: await carryOut(request, new Date(at).toISOString(), service) }
  } catch (error) {
    return { error: toldOf(error) }
  }
}

/** @param timestamp when it was asked, ISO 8601. */
async function carryOut(
  { id, verb, as, args }: TrayRequest,
  timestamp: string,
  { post, requests, watch }: Service,
): Promise<unknown> {
  const { root, team, since, mission, number } = post
  // opened anew: its configuration may have changed since the session began
  const federation = new Federation(root)
  assertSameTeam(federation.registry, team, since)
  const refused = refusalOf(federation, team, { verb, as, args })
  if (refused !== undefined) {
    await tellMeta(federation, post, verb, refused)
    throw new RefusedError(`${refused}; nothing was changed ('fed rights' shows who may what)`)
  }
  const request = requests.get(verb)
  if (request === undefined) throw new UsageError(`there is no request '${printable(verb)}'`)
  await takeOverBefore(verb, federation, post)
  // a request that is dropped again after its answer was removed is another one
  const asked = `${team}/${since}/${mission}-${number}/${id}/${timestamp}`
  const once = { id: uuidOf(asked, TRAY), timestamp }
  return request.carryOut({ federation, address: team, watch, once }, inputFor(request, args))
}

/** Has fed's git know what the agent committed, before it is asked for evidence of it. */
async function takeOverBefore(verb: string, federation: Federation, { team, walls }: Post): Promise<void> {
  if (walls === undefined || !['report', 'status'].includes(verb)) return
  const opened = await federation.team(team)
  if (verb === 'report') takeOverFor(opened, walls)
  // whoever only asks is told what there is
  else unless(RefusedError, () => takeOverFor(opened, walls))
}

/** Tells `meta` what an agent asked that it may not: of a mission each thing once, however often it is tried. */
async function tellMeta(
  federation: Federation,
  { team, mission, since }: Post,
  verb: string,
  refused: string,
): Promise<void> {
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
function watchOf(answers: Folder, id: string, signal: AbortSignal): Caller['watch'] {
  let rest = mostProgress
  const onOutput = (chunk: Buffer) => {
    const part = chunk.subarray(0, rest)
    rest -= part.length
    // nobody is kept from anything by it
    unless(isSystemError, () => appendPlain(answers.at(progressName(id)), part))
  }
  return { signal, onOutput, onBegin: (words) => onOutput(Buffer.from(`· ${words}\n`)) }
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
