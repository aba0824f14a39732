import { lstatSync } from 'node:fs'
import path from 'node:path'
import { unless } from '../../errors/unless.ts'
import { SignalNotFoundError } from '../../errors/team-errors.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import type { SignalMessage } from '../../protocol/signal.ts'
import { now } from '../../protocol/time.ts'
import { disk, makeDirectory } from '../../platform/storage/disk.ts'
import { isSystemError } from '../../platform/storage/system-error.ts'
import { listQuarantined, setAside, type Quarantined } from './quarantine.ts'
import { isSignalName, readAcknowledgment, readSignalFile } from './signal-file.ts'
import { temporaryIn } from '../../platform/storage/temporary.ts'
import { WaitingFiles } from './waiting-files.ts'
import { watchDirectory } from './watch.ts'

/** How long after a hint that files came the whole inbox is listed, in milliseconds: some hints get lost. */
const recountMs = 100

/** At most how many acknowledgments share one file: file systems limit the names of a file (ext4: 65,000). */
const mostNames = 1000

/** A signal as it lies in a mailbox, with the name of its file. */
export interface FiledSignal extends SignalMessage {
  readonly file: string
}

/** One address's inbox and outbox (spec §4.1): `meta`'s lie at the federation's root, a team's in its workspace. */
export class Mailbox {
  readonly address: string
  /** The folder whose `.fed` holds it. */
  readonly workspace: string
  readonly inbox: string
  readonly outbox: string
  readonly quarantine: string
  readonly #waiting: WaitingFiles
  /** Unacknowledged signals by file, as they were read. */
  #read = new Map<string, { readonly signal: FiledSignal; readonly inode: number }>()
  /** The files that were listed when they were read. */
  #listed: readonly string[] = []
  /** How many files could not be read when they were looked at last. */
  #unread = 0

  constructor(address: string, workspace: string) {
    const layout = workspaceLayout(workspace)
    this.address = address
    this.workspace = workspace
    this.inbox = layout.inbox
    this.outbox = layout.outbox
    this.quarantine = layout.quarantine
    this.#waiting = new WaitingFiles(this.inbox)
  }

  /** Whether its folders exist; where somebody removed them from a workspace they are made again. */
  isThere(): boolean {
    if (disk.exists(this.inbox) && disk.exists(this.outbox)) return true
    if (!disk.exists(path.join(this.workspace, '.fed'))) return false
    this.create()
    return true
  }

  /** Creates inbox and outbox, harmless when they are there; a quarantine is made when something is set aside. */
  create(): void {
    for (const dir of [this.inbox, this.outbox]) makeDirectory(dir)
  }

  /** Names of the signal files without an acknowledgment, found without opening one. */
  unacknowledgedFiles(): readonly string[] {
    return this.#waiting.look()
  }

  /**
   * Signals for this address without an acknowledgment, by timestamp, then id (spec §4.3, read).
   * @param files names of the files to look at, where the inbox was listed just now.
   */
  unacknowledged(files: readonly string[] = this.unacknowledgedFiles()): FiledSignal[] {
    return this.#waitingIn(files).filter(({ to }) => to === this.address)
  }

  /** Signals that wait here but are addressed to somebody else; they stay where they are. */
  misaddressed(): FiledSignal[] {
    return this.#waitingIn(this.unacknowledgedFiles()).filter(({ to }) => to !== this.address)
  }

  #waitingIn(files: readonly string[]): FiledSignal[] {
    const known = this.#read
    const isListedAnew = files !== this.#listed
    this.#listed = files
    this.#read = new Map()
    for (const file of files) {
      const before = known.get(file)
      // a signal never changes, but when one was archived its name may be another's
      const isSame = before !== undefined && (!isListedAnew || before.inode === this.#inodeOf(file))
      const read = isSame ? before : this.#readOne(file)
      if (read !== undefined) this.#read.set(file, read)
    }
    this.#unread = files.length - this.#read.size
    return [...this.#read.values()].map(({ signal }) => signal).toSorted(inOrder)
  }

  /** Whether all that `unacknowledged` looked at last could be read; a file that is still being written cannot. */
  isWhole(): boolean {
    return this.#unread === 0
  }

  /** All signals for this address, with what their acknowledgments say merged in. */
  all(): FiledSignal[] {
    return this.#everything().filter(({ to }) => to === this.address)
  }

  #everything(): FiledSignal[] {
    const names = disk.list(this.inbox)
    const acknowledgments = new Set(names.filter((name) => name.endsWith('.ack')))
    return names
      .filter(isSignalName)
      .flatMap((file) => this.#readOne(file)?.signal ?? [])
      .map((signal) =>
        acknowledgments.has(`${signal.file}.ack`)
          ? { ...signal, ...readAcknowledgment(path.join(this.inbox, `${signal.file}.ack`)) }
          : signal,
      )
      .toSorted(inOrder)
  }

  /**
   * Copies of what this address sent, by timestamp.
   * @param names of the outbox's files, where only some are asked for.
   */
  sent(names: readonly string[] = disk.list(this.outbox)): FiledSignal[] {
    return names
      .filter(isSignalName)
      .flatMap((file) => {
        const reading = readSignalFile(path.join(this.outbox, file))
        return reading.kind === 'signal' ? [{ ...reading.signal, file }] : []
      })
      .toSorted(inOrder)
  }

  /**
   * Finds a signal of the inbox by its file name, its id, or the beginning of its id.
   * @throws {SignalNotFoundError} when none or more than one fits.
   */
  find(reference: string): FiledSignal {
    // most often what was just read, which needs no look at everything that ever came
    const read = [...this.#read.values()]
      .map(({ signal }) => signal)
      .filter(({ file, id }) => file === reference || id === reference)
    const [known] = read.length === 1 ? read : []
    const lies = (name: string) => disk.exists(path.join(this.inbox, name))
    if (known !== undefined && lies(known.file) && !lies(`${known.file}.ack`)) return known
    const everything = this.#everything()
    const exact = everything.filter(({ file, id }) => file === reference || id === reference)
    const found =
      exact.length > 0
        ? exact
        : everything.filter(({ id }) => reference.length >= 4 && id.startsWith(reference))
    const [signal, another] = found
    if (signal === undefined) {
      throw new SignalNotFoundError(
        `no signal '${reference}' in the inbox of '${this.address}'; 'fed inbox ${this.address} --all' lists them`,
      )
    }
    if (another !== undefined)
      throw new SignalNotFoundError(`'${reference}' fits more than one signal: give the file name`)
    return signal
  }

  /**
   * Acknowledges one signal, named by its file, its id, or the beginning of its id; again is harmless.
   * @throws {SignalNotFoundError} when none or more than one fits.
   */
  acknowledge(reference: string): FiledSignal {
    const signal = this.find(reference)
    this.acknowledgeFiles([signal.file])
    return signal
  }

  /**
   * Calls `onSignals` with what is unacknowledged, at once, and then with what arrives, each signal once.
   * @returns a function that ends it.
   */
  watch(onSignals: (signals: FiledSignal[]) => void): () => void {
    let told = new Set<string>()
    let recount: NodeJS.Timeout | undefined
    const lookAtAll = () => {
      clearTimeout(recount)
      recount = undefined
      const signals = this.unacknowledged()
      const news = signals.filter(({ file }) => !told.has(file))
      told = new Set(signals.map(({ file }) => file))
      if (news.length > 0) onSignals(news)
    }
    const look = (names?: ReadonlySet<string>) => {
      if (names === undefined) return lookAtAll()
      // what was heard of at once, without a listing; all of it a little later, because hints get lost
      recount ??= setTimeout(lookAtAll, recountMs)
      const news = [...names].flatMap((file) => (told.has(file) ? [] : (this.#newcomer(file) ?? [])))
      for (const { file } of news) told.add(file)
      if (news.length > 0) onSignals(news.toSorted(inOrder))
    }
    const end = watchDirectory(this.inbox, (names) => {
      // no descriptor left, say: the next look may find one, and nothing was told as seen
      unless(isSystemError, () => look(names))
    })
    lookAtAll()
    return () => {
      clearTimeout(recount)
      end()
    }
  }

  /** A signal for this address by its file's name, unless it is acknowledged already. */
  #newcomer(file: string): FiledSignal | undefined {
    if (!isSignalName(file) || disk.exists(path.join(this.inbox, `${file}.ack`))) return undefined
    const read = this.#readOne(file)
    if (read === undefined) return undefined
    this.#read.set(file, read)
    return read.signal.to === this.address ? read.signal : undefined
  }

  /**
   * Writes the acknowledgment of each file that has none yet (spec §4.3).
   * @param isDurable false where whoever reads the signal again would only acknowledge it again.
   */
  acknowledgeFiles(files: readonly string[], isDurable = true): void {
    if (files.length === 0) return
    const text = `${JSON.stringify({ acknowledged: true, acknowledged_at: now() }, null, 2)}\n`
    for (let from = 0; from < files.length; from += mostNames) {
      this.#linkAcknowledgments(files.slice(from, from + mostNames), text, isDurable)
    }
    if (isDurable) disk.syncDirectory(this.inbox)
  }

  /** Writes one acknowledgment and links it to the name of each: they all say the same and never change. */
  #linkAcknowledgments(files: readonly string[], text: string, isDurable: boolean): void {
    // nothing temporary may ever be seen in an inbox
    const temporary = temporaryIn(this.outbox)
    disk.create(temporary, text, { isDurable })
    try {
      for (const file of files) {
        // swept by somebody who cannot see this process: another container, say
        if (!disk.exists(temporary)) disk.create(temporary, text, { isDurable })
        disk.link(temporary, path.join(this.inbox, `${file}.ack`))
      }
    } finally {
      disk.unlink(temporary)
    }
  }

  #readOne(file: string): { readonly signal: FiledSignal; readonly inode: number } | undefined {
    const reading = readSignalFile(path.join(this.inbox, file))
    if (reading.kind === 'signal') return { signal: { ...reading.signal, file }, inode: reading.inode }
    if (reading.kind === 'fault') setAside(this.inbox, this.quarantine, file, reading.fault)
    return undefined
  }

  #inodeOf(file: string): number | undefined {
    return lstatSync(path.join(this.inbox, file), { throwIfNoEntry: false })?.ino
  }

  /** What was set aside, with the reasons. */
  quarantined(): Quarantined[] {
    return listQuarantined(this.quarantine)
  }
}

function inOrder(a: FiledSignal, b: FiledSignal): number {
  return Date.parse(a.timestamp) - Date.parse(b.timestamp) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}
