/**
 * The thread in which documents become pages and charts are laid out: a layout may take seconds, and whoever asks
 * the dashboard for anything else does not wait for it.
 */
import { parentPort } from 'node:worker_threads'
import type { Chart } from '../../../diagram/chart.ts'
import { compact } from '../../../diagram/bundles.ts'
import type { LayoutPlaces } from '../../../diagram/kept-layouts.ts'
import { toSvg } from '../../../diagram/svg.ts'
import { renderMarkdown } from './render-markdown.ts'

export type DrawingJob =
  | { readonly kind: 'document'; readonly markdown: string }
  | { readonly kind: 'chart'; readonly chart: Chart; readonly layouts: LayoutPlaces }

/** A chart as SVG, with as few words as possible and with all of them. */
export interface ChartDrawings {
  readonly compact: string
  readonly full: string
}

export type DrawingAnswer = { readonly drawn: string | ChartDrawings } | { readonly error: string }

async function draw(job: DrawingJob): Promise<string | ChartDrawings> {
  return job.kind === 'document' ? renderMarkdown(job.markdown) : drawChart(job.chart, job.layouts)
}

async function drawChart(chart: Chart, layouts: LayoutPlaces): Promise<ChartDrawings> {
  return {
    compact: await toSvg(compact(chart), { isPart: true, layouts }),
    full: await toSvg(chart, { isPart: true, layouts }),
  }
}

parentPort?.on('message', (job: DrawingJob) => {
  const answer = (message: DrawingAnswer) => parentPort?.postMessage(message)
  draw(job).then(
    (drawn) => answer({ drawn }),
    (error: unknown) => answer({ error: error instanceof Error ? error.message : String(error) }),
  )
})
