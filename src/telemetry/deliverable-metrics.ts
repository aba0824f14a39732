import { metrics } from '@opentelemetry/api'
import type { DeliverableFigures } from '../../machines/team-event.ts'

/**
 * Records a finished deliverable's figures (spec §6) with whichever OpenTelemetry meter provider the process
 * has registered; without one this does nothing.
 */
export function recordDeliverable(team: string, figures: DeliverableFigures): void {
  const meter = metrics.getMeter('fed')
  const attributes = { 'fed.team': team }
  meter
    .createGauge('deliverable.size_bytes', { unit: 'By', description: 'Document size' })
    .record(figures.sizeBytes, attributes)
  meter
    .createGauge('deliverable.sections', { description: 'Section count' })
    .record(figures.sections, attributes)
  meter
    .createGauge('deliverable.code_examples', { description: 'Number of code blocks included' })
    .record(figures.codeExamples, attributes)
}
