import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { until } from './until.ts'

const sleeper = new Int32Array(new SharedArrayBuffer(4))

/** A place where processes wait for each other, round after round; any of them finds it by its folder. */
export class Gate {
  readonly folder: string
  readonly #parent = process.ppid

  constructor(folder: string) {
    this.folder = folder
  }

  /** A process that has everything ready waits here, and goes on at the same moment as the others. */
  arrive(round: number): void {
    const waiting = path.join(this.folder, `${round}`)
    mkdirSync(waiting, { recursive: true })
    writeFileSync(path.join(waiting, `${process.pid}`), '')
    while (!existsSync(path.join(this.folder, `${round}.open`))) {
      this.#stayOnlyWithParent()
      Atomics.wait(sleeper, 0, 0, 1)
    }
  }

  /** Resolves when so many have arrived: what they did before is done then. */
  async gathered(round: number, count: number): Promise<void> {
    const waiting = path.join(this.folder, `${round}`)
    await until(
      `${count} processes at ${waiting}`,
      () => existsSync(waiting) && readdirSync(waiting).length === count,
    )
  }

  /** Lets them go as soon as so many have arrived. */
  async open(round: number, count: number): Promise<void> {
    await this.gathered(round, count)
    writeFileSync(path.join(this.folder, `${round}.open`), '')
  }

  /** Tells those that go on until something is over that it is. */
  end(what: string): void {
    writeFileSync(path.join(this.folder, `${what}.over`), '')
  }

  isOver(what: string): boolean {
    this.#stayOnlyWithParent()
    return existsSync(path.join(this.folder, `${what}.over`))
  }

  /** A test that failed in the middle opens no gate any more. */
  #stayOnlyWithParent(): void {
    if (process.ppid !== this.#parent) throw new Error('whoever opens this gate is gone')
  }
}
