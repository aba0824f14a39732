import * as z from 'zod/mini'
import { presentMs } from './clock.ts'
import { wrong } from './zod-messages.ts'

/** ISO 8601 with a date, a time and a zone (spec §2). */
export const timestampSchema = z.iso.datetime({ offset: true, ...wrong('is not an ISO 8601 timestamp') })

let last = 0

/** The present time, strictly rising within this process, so that what it sends keeps its order. */
export function now(): string {
  last = Math.max(presentMs(), last + 1)
  return new Date(last).toISOString()
}

/** Milliseconds from one time to another, both ISO 8601. */
export function msBetween(from: string, to: string): number {
  return Date.parse(to) - Date.parse(from)
}
