import path from 'node:path'
import { statSync } from 'node:fs'
import { presentMs } from '../../../protocol/clock.ts'
import { archivedMonths, archiveFolder } from '../../../records/signals/archive-months.ts'
import type { Mailbox } from '../../../records/signals/mailbox.ts'
import { isSignalName, readAcknowledgment, readSignalFile } from '../../../records/signals/signal-file.ts'
import { toldMove } from '../../../engine/step/outgoing-signals.ts'
import type { SignalMessage } from '../../../protocol/signal.ts'
import { compactTimestamp } from '../../../protocol/event-name.ts'
import { disk } from '../../../platform/storage/disk.ts'
import type { ShownMail, ShownSignal } from './shown.ts'

/** How many of the newest signals are shown; `fed inbox --all` has the rest. */
const mostSignals = 300

/** A file name that begins with its signal's time. */
const timed = /^\d{4}-\d\d-\d\dT\d{6}Z-/

/** A signal's file, in the inbox or in its archive. */
interface Filed {
  readonly dir: string
  readonly file: string
  readonly isAcknowledged: boolean
}

/** A mailbox's signals, each read once: a signal never changes, and an acknowledgment stays. */
export class Mail {
  readonly #mailbox: Mailbox
  /** By absolute path: what is there now, and what was there at the moment that was asked for last. */
  #now: ReadonlyMap<string, ShownSignal> = new Map()
  #then: ReadonlyMap<string, ShownSignal> = new Map()

  constructor(mailbox: Mailbox) {
    this.#mailbox = mailbox
  }

  /** The newest signals in the inbox. */
  read(): ShownMail {
    const files = filesIn(this.#mailbox.inbox)
    this.#now = this.#readAll(files.slice(-mostSignals), this.#now)
    const left = Math.max(0, files.length - mostSignals)
    const isWhole = left === 0 && !disk.exists(archiveFolder(this.#mailbox.workspace))
    return { ...this.#shown(this.#now), left, isWhole }
  }

  /**
   * The newest signals that had come by a moment, also those that were archived since.
   * @param moment in milliseconds since the epoch.
   */
  readAt(moment: number): ShownMail {
    const time = compactTimestamp(new Date(Math.min(Math.max(0, moment), presentMs())).toISOString())
    const month = time.slice(0, 7)
    const hadCome = ({ file }: Filed) => !timed.test(file) || file.slice(0, time.length) <= time
    const files = filesIn(this.#mailbox.inbox).filter(hadCome)
    for (const { folder } of archivedMonths(this.#mailbox.workspace)
      .filter((archived) => archived.month <= month)
      .toReversed()) {
      if (files.length >= mostSignals) break
      files.push(...filesIn(folder).filter(hadCome))
    }
    files.sort((a, b) => (a.file < b.file ? -1 : 1))
    this.#then = this.#readAll(files.slice(-mostSignals), this.#then)
    return { ...this.#shown(this.#then), left: Math.max(0, files.length - mostSignals), isWhole: true }
  }

  #shown(signals: ReadonlyMap<string, ShownSignal>): Pick<ShownMail, 'signals' | 'quarantined'> {
    const { address, quarantine } = this.#mailbox
    return {
      signals: [...signals.values()].filter(({ to }) => to === address).toSorted((a, b) => a.at - b.at),
      quarantined: this.#mailbox.quarantined().map(({ file, reason }) => {
        const stat = statSync(path.join(quarantine, `${file}.reason`), { throwIfNoEntry: false })
        return { file, reason, at: stat?.mtimeMs ?? 0 }
      }),
    }
  }

  #readAll(files: readonly Filed[], known: ReadonlyMap<string, ShownSignal>): Map<string, ShownSignal> {
    const read = new Map<string, ShownSignal>()
    for (const { dir, file, isAcknowledged } of files) {
      const place = path.join(dir, file)
      const signal = known.get(place) ?? readOne(place)
      if (signal === undefined) continue
      const isNew = signal.acknowledged === null && isAcknowledged
      read.set(place, isNew ? { ...signal, acknowledged: acknowledgedAt(place) } : signal)
    }
    return read
  }
}

/** The signals' files in a folder, in the order of their names, which begin with the time. */
function filesIn(dir: string): Filed[] {
  const names = disk.list(dir).toSorted()
  const acknowledged = new Set(names.filter((name) => name.endsWith('.ack')))
  return names
    .filter(isSignalName)
    .map((file) => ({ dir, file, isAcknowledged: acknowledged.has(`${file}.ack`) }))
}

/** The signal in a file; undefined where it holds none: the next step of the team deals with that. */
function readOne(place: string): ShownSignal | undefined {
  const reading = readSignalFile(place)
  if (reading.kind !== 'signal') return undefined
  const { id, timestamp, from, to, type, subject, body } = reading.signal
  const move = isRoutine(reading.signal) ? (toldMove(reading.signal) ?? null) : null
  const file = path.basename(place)
  const told = { id, file, at: Date.parse(timestamp), from, to, type, subject, body }
  return { ...told, move, acknowledged: null }
}

/** Whether a report says only that a team moved; one of several lines, as on why a team failed, says more. */
function isRoutine({ body }: SignalMessage): boolean {
  return !body.trim().includes('\n')
}

function acknowledgedAt(place: string): number {
  const { acknowledged_at: at } = readAcknowledgment(`${place}.ack`)
  return at === undefined ? presentMs() : Date.parse(at)
}
