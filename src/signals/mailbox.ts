import path from 'node:path'
import { v4 as uuid } from 'uuid'
import { SignalNotFoundError } from '../errors.ts'
import { workspaceLayout } from '../protocol/layout.ts'
import { acknowledgmentSchema, type SignalMessage } from '../protocol/signal.ts'
import { now } from '../protocol/time.ts'
import { disk, makeDirectory } from '../storage/disk.ts'
import { decodeSignal } from './decode.ts'
import { listQuarantined, setAside, type Quarantined } from './quarantine.ts'
import { isSignalName, readSignalFile } from './signal-file.ts'
import { watchDirectory } from './watch.ts'

/** A signal as it lies in a mailbox, with the name of its file. */
export interface FiledSignal extends SignalMessage {
  readonly file: string
}

/** One address's inbox and outbox (spec §4.1): `meta`'s lie at the federation's root, a team's in its workspace. */
export class Mailbox {
  readonly address: string
  readonly inbox: string
  readonly outbox: string
  readonly quarantine: string

  constructor(address: string, workspace: string) {
    const layout = workspaceLayout(workspace)
    this.address = address
    this.inbox = layout.inbox
    this.outbox = layout.outbox
    this.quarantine = layout.quarantine
  }

  /** Creates the folders; harmless when they are there. */
  create(): void {
    for (const dir of [this.inbox, this.outbox, this.quarantine]) makeDirectory(dir)
  }

  /** Names of the signal files without an acknowledgment, found without opening one. */
  unacknowledgedFiles(): string[] {
    const names = disk.list(this.inbox)
    const acknowledgments = new Set(names.filter((name) => name.endsWith('.ack')))
    return names.filter((name) => isSignalName(name) && !acknowledgments.has(`${name}.ack`)).toSorted()
  }

  /** Signals for this address without an acknowledgment, by timestamp, then id (spec §4.3, read). */
  unacknowledged(): FiledSignal[] {
    return this.#read(this.unacknowledgedFiles()).filter(({ to }) => to === this.address)
  }

  /** All signals for this address, with what their acknowledgments say merged in. */
  all(): FiledSignal[] {
    return this.#everything().filter(({ to }) => to === this.address)
  }

  /** Signals that lie here but are addressed to somebody else; they stay where they are. */
  misaddressed(): FiledSignal[] {
    return this.#everything().filter(({ to }) => to !== this.address)
  }

  #everything(): FiledSignal[] {
    const names = disk.list(this.inbox)
    const acknowledgments = new Set(names.filter((name) => name.endsWith('.ack')))
    return this.#read(names.filter(isSignalName)).map((signal) =>
      acknowledgments.has(`${signal.file}.ack`)
        ? { ...signal, ...this.#acknowledgmentOf(signal.file) }
        : signal,
    )
  }

  /** Copies of what this address sent, by timestamp. */
  sent(): FiledSignal[] {
    return disk
      .list(this.outbox)
      .filter(isSignalName)
      .flatMap((file) => {
        const text = disk.read(path.join(this.outbox, file))
        const decoded = text === undefined ? undefined : decodeSignal(text)
        return decoded?.signal === undefined ? [] : [{ ...decoded.signal, file }]
      })
      .toSorted(inOrder)
  }

  /**
   * Finds a signal of the inbox by its file name, its id, or the beginning of its id.
   * @throws {SignalNotFoundError} when none or more than one fits.
   */
  find(reference: string): FiledSignal {
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

  /** Calls `onSignals` with what is unacknowledged, at once and whenever something arrives; returns what ends it. */
  watch(onSignals: (signals: FiledSignal[]) => void): () => void {
    const look = () => {
      const signals = this.unacknowledged()
      if (signals.length > 0) onSignals(signals)
    }
    const end = watchDirectory(this.inbox, look)
    look()
    return end
  }

  /** Writes the acknowledgment of each file that has none yet, durable before it returns (spec §4.3). */
  acknowledgeFiles(files: readonly string[]): void {
    const acknowledgment = { acknowledged: true, acknowledged_at: now() }
    let linked = false
    for (const file of files) {
      // nothing temporary may ever be seen in an inbox
      const temporary = path.join(this.outbox, `.${uuid()}.ack.tmp`)
      disk.create(temporary, `${JSON.stringify(acknowledgment, null, 2)}\n`)
      try {
        linked = disk.link(temporary, path.join(this.inbox, `${file}.ack`)) || linked
      } finally {
        disk.unlink(temporary)
      }
    }
    if (linked) disk.syncDirectory(this.inbox)
  }

  #read(files: readonly string[]): FiledSignal[] {
    return files.flatMap((file) => this.#readOne(file) ?? []).toSorted(inOrder)
  }

  #readOne(file: string): FiledSignal | undefined {
    const reading = readSignalFile(path.join(this.inbox, file))
    if (reading.kind === 'signal') return { ...reading.signal, file }
    if (reading.kind === 'fault') setAside(this.inbox, this.quarantine, file, reading.fault)
    return undefined
  }

  #acknowledgmentOf(file: string): { acknowledged: true; acknowledged_at?: string } {
    const text = disk.read(path.join(this.inbox, `${file}.ack`))
    try {
      return acknowledgmentSchema.parse(JSON.parse(text ?? ''))
    } catch {
      // the file's presence acknowledges; a damaged content only loses the time
      return { acknowledged: true }
    }
  }

  /** What was set aside, with the reasons. */
  quarantined(): Quarantined[] {
    return listQuarantined(this.quarantine)
  }
}

function inOrder(a: FiledSignal, b: FiledSignal): number {
  return Date.parse(a.timestamp) - Date.parse(b.timestamp) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}
