import { InvalidArgumentError } from 'commander'
import { longestMs, readDuration } from '../../protocol/duration.ts'

/** Reads `500ms`, `30s`, `10m` or `2h` into whole milliseconds, rounded up; a bare number is seconds. */
export function parseDuration(text: string): number {
  const milliseconds = readDuration(text)
  if (milliseconds === undefined) {
    throw new InvalidArgumentError('give a duration such as 500ms, 30s, 10m or 2h.')
  }
  if (milliseconds > longestMs) throw new InvalidArgumentError('give at most 24 days (576h).')
  return milliseconds
}

/** Milliseconds as people read them. */
export function formatDuration(milliseconds: number): string {
  const seconds = milliseconds / 1000
  if (seconds < 10) return `${seconds.toFixed(1)}s`
  if (seconds < 60) return `${Math.floor(seconds)}s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? `${minutes}m ${Math.floor(seconds % 60)}s`
    : `${Math.floor(minutes / 60)}h ${minutes % 60}m`
}

/** Reads a whole number of at least 1. */
export function parseCount(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('give a whole number from 1.')
  return Number(text)
}

/** A whole number from 0, for options of which 0 means none. */
export function parseCountOrNone(text: string): number {
  return text === '0' ? 0 : parseCount(text)
}
