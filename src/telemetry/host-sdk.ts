import type { Config } from '../protocol/config-schema.ts'
import type { SdkTeller } from './sdk-teller.ts'
import { lookInterval } from './settings.ts'

/** A federation that a program opened. */
interface Opened {
  readonly root: string
  readonly config: Config
}

/** Where every copy of OpenTelemetry's API keeps what a program registered. */
const registered: unique symbol = Symbol.for('opentelemetry.js.api.1') as never

/** Whether the program has registered an SDK; the API itself is not loaded to find out. */
function hasSdk(): boolean {
  const all = (globalThis as { readonly [registered]?: Readonly<Record<string, unknown>> })[registered]
  return all?.['metrics'] !== undefined || all?.['trace'] !== undefined
}

/** What this process does for the federation of one root, however many have opened it. */
class Watch {
  opened = 0
  readonly #root: string
  readonly #timer: NodeJS.Timeout
  #teller: SdkTeller | undefined
  #isOver = false

  constructor(root: string) {
    this.#root = root
    this.#timer = setInterval(() => void this.look(), lookInterval())
    this.#timer.unref()
  }

  /** The program goes on without, should its packages not fit. */
  async look(): Promise<void> {
    try {
      await this.#look()
    } catch (error) {
      this.close()
      process.emitWarning(`fed tells this program's OpenTelemetry SDK nothing: ${(error as Error).message}`)
    }
  }

  async #look(): Promise<void> {
    if (this.#teller !== undefined) return this.#teller.tell()
    if (!hasSdk()) return
    const { SdkTeller: Teller } = await import('./sdk-teller.ts')
    if (!this.#isOver) this.#teller ??= new Teller(this.#root)
  }

  close(): void {
    this.#isOver = true
    clearInterval(this.#timer)
    this.#teller?.close()
  }
}

const watches = new Map<string, Watch>()

const forgotten = new FinalizationRegistry((root: string) => {
  const watch = watches.get(root)
  if (watch === undefined) return
  watch.opened -= 1
  if (watch.opened > 0) return
  watch.close()
  watches.delete(root)
})

/**
 * Tells the OpenTelemetry SDK that a program registers for itself, before or after, of a federation's metrics
 * and spans (spec §6), for as long as the program holds the federation. Metrics are observed totals of the whole
 * federation; of each span one process tells. Without such an SDK nothing is loaded, read or written.
 */
export async function tellHostSdk(federation: Opened): Promise<void> {
  if (!federation.config.telemetry.enabled) return
  const { root } = federation
  const watch = watches.get(root) ?? new Watch(root)
  watches.set(root, watch)
  watch.opened += 1
  forgotten.register(federation, root)
  await watch.look()
}
