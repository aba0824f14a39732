import path from 'node:path'
import * as z from 'zod/mini'
import { CorruptDocumentError } from '../../errors/document-errors.ts'
import { sessionFormat } from '../../engine/step/session-memory.ts'
import { ownFormat, type OwnFormat } from '../../protocol/own-format.ts'
import { parseStrictJson } from '../../protocol/strict-json.ts'
import { timestampSchema } from '../../protocol/time.ts'
import { createOnce, disk, makeDirectory } from '../../platform/storage/disk.ts'
import { sealed, unsealed } from '../../platform/storage/seal.ts'
import { unless } from '../../errors/unless.ts'
import { agentToolNames } from '../../federation/lead-agent.ts'
import { profileSettings } from '../briefing/agent-profile.ts'
import { driverKinds } from '../drivers/driver.ts'

const identitySchema = z.strictObject({ pid: z.int().check(z.minimum(1)), started: z.string() })

/** What the agent was asked to be (spec §2.7). */
const profileSchema = z.strictObject({
  role: z.string(),
  model: z.nullable(z.string()),
  temperature: z.number(),
  tools: z.readonly(z.array(z.strictObject({ name: z.enum(agentToolNames), readOnly: z.boolean() }))),
  responsibilities: z.readonly(z.array(z.string())),
  /** What its command line could not be told. */
  untold: z.readonly(z.array(z.enum(profileSettings))),
})

/** One agent session as it was started: `.fed/sessions/<mission>-<number>.json`. */
const sessionSchema = z.strictObject({
  mission: z.int().check(z.minimum(1)),
  number: z.int().check(z.minimum(1)),
  agent: z.string(),
  command: z.array(z.string()),
  driver: z.enum(driverKinds),
  /** The agent's own name of the session with which it was to go on; whether it did, its reports say. */
  resumes: z.optional(z.string()),
  profile: profileSchema,
  /** Why no walls held the agent; null where they did. */
  open: z.nullable(z.string()),
  /** The most US dollars that its agent was told to use up: so much of a budget is not for others meanwhile. */
  mayCost: z.optional(z.number()),
  at: timestampSchema,
  /** The process that holds the agent; it leads the agent's process group. */
  process: identitySchema,
  launcher: identitySchema,
})
export type SessionRecord = z.infer<typeof sessionSchema>

const recordFormat = ownFormat(sessionFormat, sessionSchema)

/** As it was written before every agent was held. */
const firstFormat = ownFormat(
  'fed-session-1',
  z.strictObject({ ...z.omit(sessionSchema, { open: true }).shape, sandboxed: z.boolean() }),
)

function decodeRecord(json: unknown, file: string): SessionRecord {
  if (!firstFormat.isOf(json)) return recordFormat.decode(json, file)
  const { sandboxed, ...record } = firstFormat.decode(json, file)
  return { ...record, open: sandboxed ? null : 'it was started by an earlier release' }
}

/** What held an agent, in words. */
export function describeHold({ open }: SessionRecord): string {
  return open === null ? 'confined' : `open: ${open}`
}

type SessionNumbers = Pick<SessionRecord, 'mission' | 'number'>

/** How it ended: `.fed/sessions/<mission>-<number>.end.json`. */
const sessionEndSchema = z.strictObject({
  at: timestampSchema,
  exitCode: z.nullable(z.int()),
  /**
   * `lost`: the launcher died; `unwanted`: the mission was over before the agent began, or was reset since;
   * `limited`: the agent is over a limit of its provider; `refused`: it will not work as it is set up; `silent`: it
   * said nothing for too long; `over-budget`: it used up what it was given; `unavailable`: its provider failed for a
   * while; `overflowed`: it was too long for its model; `looping`: the same was refused again and again; `capped`: it
   * used up the part of a budget that it was given; `too-many-processes`, `disk-used-up`: it used up more of the machine
   * than walls let it.
   */
  cause: z.enum([
    ...['ended', 'finished', 'paused', 'interrupted', 'timed-out', 'lost', 'unwanted', 'error'],
    ...['limited', 'refused', 'silent', 'over-budget'],
    ...['unavailable', 'overflowed', 'looping', 'capped'],
    ...['too-many-processes', 'disk-used-up'],
  ] as const),
})
export type SessionEnd = z.infer<typeof sessionEndSchema>

/** As it was written before there were limits. */
const firstEndFormat = ownFormat('fed-session-end-1', sessionEndSchema)

const endFormat = ownFormat('fed-session-end-2', sessionEndSchema)

function decodeEnd(json: unknown, file: string): SessionEnd {
  return (firstEndFormat.isOf(json) ? firstEndFormat : endFormat).decode(json, file)
}

export interface Session extends SessionRecord {
  readonly end: SessionEnd | undefined
  /** Absolute path of what the agent printed. */
  readonly log: string
}

function stem(session: SessionNumbers): string {
  return `${session.mission}-${session.number}`
}

export function logFile(dir: string, session: SessionNumbers): string {
  return path.join(dir, `${stem(session)}.log`)
}

/** What changed in the codebase during a session that only reads it. */
export function changesFile(dir: string, session: SessionNumbers): string {
  return path.join(dir, `${stem(session)}.changes.patch`)
}

export function promptFile(dir: string, session: SessionNumbers): string {
  return path.join(dir, `${stem(session)}.prompt.md`)
}

function read<Content extends object>(
  decode: OwnFormat<Content>['decode'],
  file: string,
): Content | undefined {
  const text = disk.read(file)
  if (text === undefined) return undefined
  let json: unknown
  try {
    json = parseStrictJson(text)
  } catch (error) {
    throw new CorruptDocumentError(file, (error as Error).message)
  }
  return decode(unsealed(json).json, file)
}

/** Records of sessions and of their ends that somebody changed, or that fed did not write on this machine: names. */
export function changedRecords(dir: string): string[] {
  return disk
    .list(dir)
    .filter((name) => /^\d+-\d+(\.end)?\.json$/.test(name))
    .filter((name) => {
      const text = disk.read(path.join(dir, name))
      const json = text === undefined ? undefined : unless(SyntaxError, () => JSON.parse(text) as unknown)
      return (
        !unsealed(json).isIntact &&
        [firstFormat, recordFormat, firstEndFormat, endFormat].some((format) => format.isOf(json))
      )
    })
}

function sealedText<Content extends object>(format: OwnFormat<Content>, content: Content): string {
  return `${JSON.stringify(sealed(format.stamp(content)), null, 2)}\n`
}

/**
 * One session by its numbers, with its record and its end each in one of these folders.
 * @throws {CorruptDocumentError | NewerFormatError}
 */
export function readSession(dirs: readonly string[], which: SessionNumbers): Session | undefined {
  const find = <Content extends object>(decode: OwnFormat<Content>['decode'], name: string) =>
    dirs.map((dir) => read(decode, path.join(dir, name))).find((found) => found !== undefined)
  const record = find(decodeRecord, `${stem(which)}.json`)
  const [dir = ''] = dirs
  return record && { ...record, end: find(decodeEnd, `${stem(which)}.end.json`), log: logFile(dir, record) }
}

/** Path of a session's record. */
export function recordFile(dir: string, session: SessionNumbers): string {
  return path.join(dir, `${stem(session)}.json`)
}

/** Sessions of which there are records among these names of files, oldest first; as far as fed counts (`numbersIn`). */
export function sessionNumbers(names: readonly string[]): SessionNumbers[] {
  return names
    .flatMap((name) => {
      const [, mission, number] = /^([1-9]\d{0,14})-([1-9]\d{0,14})\.json$/.exec(name) ?? []
      return mission === undefined ? [] : [{ mission: Number(mission), number: Number(number) }]
    })
    .toSorted((a, b) => a.mission - b.mission || a.number - b.number)
}

/** Sessions of a folder, oldest first. */
export function listSessions(dir: string): Session[] {
  return sessionNumbers(disk.list(dir)).flatMap((numbers) => readSession([dir], numbers) ?? [])
}

/**
 * The session that was started last; only its record is read.
 * @throws {CorruptDocumentError | NewerFormatError}
 */
export function lastSession(dir: string): Session | undefined {
  const last = sessionNumbers(disk.list(dir)).at(-1)
  return last && readSession([dir], last)
}

function writeOnce(dir: string, name: string, text: string): boolean {
  makeDirectory(dir)
  const written = createOnce(path.join(dir, name), text)
  disk.syncDirectory(dir)
  return written
}

/** Records a session under its number; false when another launcher has that number. */
export function recordSession(dir: string, record: SessionRecord): boolean {
  return writeOnce(dir, `${stem(record)}.json`, sealedText(recordFormat, record))
}

/** Records that the launcher of a session starts no further one, although its process goes on. */
export function recordLeft(dir: string, session: SessionNumbers): void {
  writeOnce(dir, leftMark(session), '')
}

/** Whether the launcher of a session may start a further one, as far as its records say. */
export function mayGoOn(dir: string, session: SessionNumbers): boolean {
  return !disk.exists(path.join(dir, leftMark(session)))
}

function leftMark(session: SessionNumbers): string {
  return `${stem(session)}.left`
}

/** Records how a session ended; who comes second changes nothing. */
export function recordEnd(dir: string, session: SessionRecord, end: SessionEnd): void {
  writeOnce(dir, `${stem(session)}.end.json`, sealedText(endFormat, end))
}
