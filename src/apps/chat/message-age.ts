import { presentMs } from '../../protocol/clock.ts'

/** The time as the clock is set: unlike a signal's it goes back with the clock, since only ages are told from it. */
export function clockTime(): string {
  return new Date(presentMs()).toISOString()
}

/** Whether something happened less than so many milliseconds ago; what is to come was before the clock was set back. */
export function isYoung(at: string, longestMs: number): boolean {
  const age = presentMs() - Date.parse(at)
  return age >= 0 && age < longestMs
}
