import { Worker } from 'node:worker_threads'
import type { Chart } from '../../../diagram/chart.ts'
import { shippedLayouts } from '../../../diagram/kept-layouts.ts'
import { FedError } from '../../../errors/fed-error.ts'
import { program } from '../../../platform/process/package.ts'
import type { ChartDrawings, DrawingAnswer, DrawingJob } from './drawing-thread.ts'

/** What has not been drawn by then is given up, in milliseconds. */
const longestMs = 20_000

/** Draws documents and charts in a thread of its own, one after the other. */
export class Drawings {
  readonly #layoutFolder: string
  readonly #longestMs: number
  #worker: Worker | undefined
  #last: Promise<unknown> = Promise.resolve()
  #isOver = false

  /** @param layoutFolder where layouts of a federation's own machines are kept. */
  constructor(layoutFolder: string, longest = longestMs) {
    this.#layoutFolder = layoutFolder
    this.#longestMs = longest
  }

  /** @throws {FedError} when it took too long, or could not be drawn. */
  async document(markdown: string): Promise<string> {
    return (await this.#next({ kind: 'document', markdown })) as string
  }

  /** @throws {FedError} when it took too long, or could not be drawn. */
  async chart(chart: Chart): Promise<ChartDrawings> {
    const layouts = { ...shippedLayouts, keepIn: this.#layoutFolder }
    return (await this.#next({ kind: 'chart', chart, layouts })) as ChartDrawings
  }

  async close(): Promise<void> {
    this.#isOver = true
    await this.#worker?.terminate()
  }

  #next(job: DrawingJob): Promise<string | ChartDrawings> {
    const drawing = this.#last.then(() => this.#draw(job))
    this.#last = drawing.catch(() => undefined)
    return drawing
  }

  async #draw(job: DrawingJob): Promise<string | ChartDrawings> {
    if (this.#isOver) throw new FedError('the dashboard is being closed')
    const worker = (this.#worker ??= new Worker(program('drawing-thread')))
    const answer = await answerOf(worker, job, this.#longestMs)
    if (answer !== undefined && 'drawn' in answer) return answer.drawn
    // one that is silent may go on for hours
    this.#worker = undefined
    await worker.terminate()
    throw new FedError(answer?.error ?? `it took more than ${this.#longestMs / 1000} s to draw`)
  }
}

/** Undefined when there is none in time. */
function answerOf(worker: Worker, job: DrawingJob, longest: number): Promise<DrawingAnswer | undefined> {
  return new Promise((resolve) => {
    const settle = (answer: DrawingAnswer | undefined) => {
      clearTimeout(timer)
      worker.off('message', settle).off('error', failed).off('exit', exited)
      resolve(answer)
    }
    const failed = (error: Error) => settle({ error: error.message })
    const exited = () => settle({ error: 'the drawing thread ended' })
    const timer = setTimeout(() => settle(undefined), longest)
    worker.on('message', settle).on('error', failed).on('exit', exited)
    worker.postMessage(job)
  })
}
