import { lstatSync } from 'node:fs'
import path from 'node:path'
import { fileNamesOf } from '../../protocol/event-name.ts'
import type { SignalMessage } from '../../protocol/signal.ts'
import { disk, makeDirectory } from '../../platform/storage/disk.ts'
import { assertNoLinkTo } from '../../platform/storage/without-links.ts'
import { archiveFolder, isMonth, monthOf } from './archive-months.ts'
import { decodeSignal } from './decode.ts'
import type { Mailbox } from './mailbox.ts'
import { identityOf, isSameFile, linkTo, Staging, type FileIdentity } from './staging.ts'
import { isSignalName, readAcknowledgment, readSignalFile } from './signal-file.ts'

/** How many signals are moved in one round: each round is made durable as a whole. */
const batchSize = 500

/** What was put away, or would be. */
export interface PutAway {
  readonly signals: number
  /** How many signals of each month, such as `2026-11`. */
  readonly months: Readonly<Record<string, number>>
}

interface Old {
  readonly file: string
  readonly month: string
  readonly signal: SignalMessage
  /** Tells the signal's file from another that has its name by now. */
  readonly identity: FileIdentity
}

/**
 * Moves the acknowledged signals that are older than a time, and their acknowledgments, from an inbox into
 * the archive of its workspace. At no instant does an inbox show such a signal without its acknowledgment,
 * and no file is ever in neither place; a process that is killed in the middle is finished by the next that
 * does this.
 * @throws {NotPlainFileError} when a link leads to the archive.
 * @param before milliseconds since the epoch. A signal's age is that of its acknowledgment, or its own where
 * the acknowledgment cannot be read.
 */
export function putAway(mailbox: Mailbox, workspace: string, before: number, isDryRun = false): PutAway {
  const archive = archiveFolder(workspace)
  assertNoLinkTo(archive)
  if (!isDryRun) finishPuttingAway(mailbox, workspace)
  const old = oldSignals(mailbox, before)
  if (!isDryRun && old.length > 0) {
    makeDirectory(archive)
    const staging = Staging.open(archive, 'leaving')
    for (let from = 0; from < old.length; from += batchSize)
      moveBatch(mailbox.inbox, archive, staging, old.slice(from, from + batchSize))
    staging.close()
  }
  const months: Record<string, number> = {}
  for (const { month } of old) months[month] = (months[month] ?? 0) + 1
  return { signals: old.length, months }
}

/** A name that a sender tries when a shorter one is taken: with eight digits of the id, or with all of it. */
const laterName = /^(.+)-(?:[0-9a-f]{8}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.json$/

/**
 * Leaves out signals whose name must stay taken; of the others those with longer names come first. Whoever
 * sends a signal again tries its names from the shortest, and sends it anew at the first free one: so a
 * shorter name stays taken while a signal stays that has the longer one.
 */
function withoutGaps(old: readonly Old[], names: readonly string[]): Old[] {
  const moving = new Set(old.map(({ file }) => file))
  const needed = new Set(names.filter((name) => !moving.has(name)).flatMap((name) => shorterName(name) ?? []))
  // the later names leave first, in case this process is killed between the two
  return old.filter(({ file }) => !needed.has(file)).toSorted((a, b) => b.file.length - a.file.length)
}

function shorterName(name: string): string | undefined {
  const stem = laterName.exec(name)?.[1]
  return stem === undefined ? undefined : `${stem}.json`
}

function oldSignals({ inbox, address }: Mailbox, before: number): Old[] {
  const names = disk.list(inbox)
  const acknowledgments = new Set(names.filter((name) => name.endsWith('.ack')))
  const old = names
    .filter((name) => isSignalName(name) && acknowledgments.has(`${name}.ack`))
    .toSorted()
    .flatMap((file) => {
      const identity = identityOf(path.join(inbox, file))
      const acknowledged = acknowledgedAt(path.join(inbox, `${file}.ack`))
      if (identity === undefined || acknowledged === undefined || acknowledged >= before) return []
      const reading = readSignalFile(path.join(inbox, file))
      // what is no signal is for quarantine, and what is for somebody else stays where it is
      if (reading.kind !== 'signal' || reading.signal.to !== address) return []
      const month = monthOf(reading.signal)
      const since = acknowledged === 0 ? Date.parse(reading.signal.timestamp) : acknowledged
      return month === undefined || since >= before ? [] : [{ file, month, signal: reading.signal, identity }]
    })
  return withoutGaps(old, names)
}

/** When a signal was acknowledged, in milliseconds; 0 where its file does not say, undefined where it is none. */
function acknowledgedAt(file: string): number | undefined {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return undefined
  const { acknowledged_at: at } = readAcknowledgment(file)
  return at === undefined ? 0 : Date.parse(at)
}

function moveBatch(inbox: string, archive: string, staging: Staging, old: readonly Old[]): void {
  const moves = old.flatMap((one) => {
    const kept = linkBoth(inbox, path.join(archive, one.month), staging, one)
    return kept === undefined ? [] : [{ from: path.join(inbox, one.file), kept }]
  })
  for (const dir of new Set(moves.map(({ kept }) => path.dirname(kept)))) disk.syncDirectory(dir)
  const left = moves.filter(({ from, kept }) => staging.take(from, kept))
  // an acknowledgment is the last to leave, also as a power cut sees it
  disk.syncDirectory(inbox)
  for (const { from, kept } of left) staging.take(`${from}.ack`, `${kept}.ack`)
  disk.syncDirectory(inbox)
}

/** Gives a signal and its acknowledgment names in the archive; undefined when somebody else moved them first. */
function linkBoth(inbox: string, dir: string, staging: Staging, old: Old): string | undefined {
  const from = path.join(inbox, old.file)
  for (const name of [old.file, ...fileNamesOf(old.signal).slice(1)]) {
    const kept = path.join(dir, name)
    // the acknowledgment first: a signal in the archive always has one
    const acknowledged = linkTo(`${from}.ack`, `${kept}.ack`)
    const linked = acknowledged && linkTo(from, kept)
    if (linked && isSameFile(kept, old.identity)) return kept
    // somebody moved it meanwhile, and a later signal has its name
    if (linked) staging.take(kept, from)
    if (linked) staging.take(`${kept}.ack`, `${from}.ack`)
    if (linked || acknowledged === undefined || linked === undefined) return undefined
  }
  return undefined
}

/**
 * Finishes what a process that was killed while it put mail away left: files that were parked, acknowledgments
 * without their signals, and acknowledgments that would count for a later signal of the same name.
 * @returns whether there was anything to finish.
 */
export function finishPuttingAway({ inbox }: Mailbox, workspace: string): boolean {
  const archive = archiveFolder(workspace)
  const abandoned = Staging.abandoned(archive, 'leaving')
  if (abandoned.length === 0) return false
  const months = disk.list(archive).filter(isMonth)
  const placesOf = (name: string) => months.map((month) => path.join(archive, month, name))
  for (const staging of abandoned) {
    for (const name of staging.files()) {
      const signal = decodeSignal(disk.read(path.join(staging.dir, name)) ?? '').signal
      const names = signal === undefined ? [name] : [name, ...fileNamesOf(signal).slice(1)]
      const home = names.map((one) => path.join(inbox, one))
      staging.settle(name, [...names.flatMap(placesOf), ...home.slice(0, 1)], home)
    }
  }
  const staging = Staging.open(archive, 'leaving')
  for (const acknowledgment of disk.list(inbox).filter((name) => name.endsWith('.json.ack'))) {
    const file = path.join(inbox, acknowledgment)
    const kept = placesOf(acknowledgment).find((place) => isSameFile(place, file))
    if (kept === undefined) continue
    const [signal, keptSignal] = [file, kept].map((ack) => ack.slice(0, -'.ack'.length)) as [string, string]
    // the signal did not get as far as the archive; or it did, and the inbox has none or a later one by its name
    if (!disk.exists(keptSignal)) staging.take(kept, file)
    else if (!isSameFile(signal, keptSignal)) staging.take(file, kept)
  }
  disk.syncDirectory(inbox)
  for (const one of [...abandoned, staging]) one.close()
  return true
}
