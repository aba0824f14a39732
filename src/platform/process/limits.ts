import { readdirSync, readFileSync, statfsSync, type Stats } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import path from 'node:path'
import { unless } from '../../errors/unless.ts'
import { isSystemError } from '../storage/system-error.ts'
import type { Exceeded, Limits } from './command.ts'
import { processStat } from './process-identity.ts'

/** How often the number of processes is looked at, in milliseconds: one small file, while there are few. */
const lookMs = 100
/** How often they are counted in any case: others that end meanwhile hide new ones. */
const countMs = 5000

/** Shortest time between two looks at the folders, in milliseconds. */
const soonestMs = 5000
/** So many times as long as a look took, the next one waits: it costs at most 2 % of a core. */
const rest = 50
/** Free space that has shrunk by this part of the limit makes a look due at once. */
const noticeable = 1 / 8

/** Processes that descend from one, with it; on Linux. */
function descendantsOf(leader: number): number {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    const parent = Number.isInteger(pid) ? Number(processStat(pid)?.[1]) : Number.NaN
    if (Number.isInteger(parent)) children.set(parent, [...(children.get(parent) ?? []), pid])
  }
  let count = 0
  for (let some = [leader]; some.length > 0; some = some.flatMap((pid) => children.get(pid) ?? []))
    count += some.length
  return count
}

/** Tasks of the whole machine, threads included: no process can begin that is not among them. */
function tasksNow(): number {
  return Number(readFileSync('/proc/loadavg', 'utf8').split(' ')[3]?.split('/')[1])
}

/** Bytes that the files below folders take up; what is gone meanwhile, or closed to this user, takes none. */
async function bytesBelow(places: readonly string[]): Promise<number> {
  const linked = new Set<string>()
  const sizeOf = ({ blocks, nlink, dev, ino }: Stats) => {
    const name = `${dev}:${ino}`
    if (nlink > 1 && linked.has(name)) return 0
    if (nlink > 1) linked.add(name)
    // an empty one takes a place in the file system's own lists
    return Math.max(blocks, 1) * 512
  }
  let bytes = 0
  const open = [...places]
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const entries = (await orNothing(readdir(folder, { withFileTypes: true }))) ?? []
    for (const entry of entries) {
      const place = path.join(folder, entry.name)
      if (entry.isDirectory()) open.push(place)
      else {
        const found = await orNothing(lstat(place))
        if (found !== undefined) bytes += sizeOf(found)
      }
    }
  }
  return bytes
}

/** What cannot be read counts for nothing. */
function orNothing<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  return reading.catch((error: unknown) => {
    if (isSystemError(error)) return undefined
    throw error
  })
}

/**
 * Watches what a process uses up with all that it starts, until it is ended.
 * @param onExceeded is told once, by whoever notices first.
 * @returns a function that ends the watch.
 */
export function watchLimits(
  leader: number,
  { processes, bytes, places }: Limits,
  onExceeded: (what: Exceeded) => void,
): () => void {
  let isOver = false
  const tell = (what: Exceeded) => {
    if (!isOver) onExceeded(what)
    isOver = true
  }
  let counted = { tasks: -Infinity, processes: 0, at: -Infinity }
  const count = () => {
    const tasks = tasksNow()
    const isDue = performance.now() - counted.at >= countMs
    if (!isDue && tasks - counted.tasks < processes - counted.processes) return
    counted = { tasks, processes: descendantsOf(leader), at: performance.now() }
    if (counted.processes > processes) tell('processes')
  }
  const counting = setInterval(count, lookMs)
  counting.unref()

  let began: number | undefined
  let free = Infinity
  let dueAt = 0
  let isLooking = false
  const look = async () => {
    const now = freeNow(places)
    const isDue = performance.now() >= dueAt || free - now > bytes * noticeable
    if (isLooking || !isDue) return
    isLooking = true
    free = now
    const at = performance.now()
    const found = await bytesBelow(places)
    began ??= found
    dueAt = performance.now() + Math.max(soonestMs, rest * (performance.now() - at))
    isLooking = false
    if (found - began > bytes) tell('bytes')
  }
  void look()
  const looking = setInterval(() => void look(), soonestMs / 5)
  looking.unref()
  return () => {
    isOver = true
    clearInterval(counting)
    clearInterval(looking)
  }
}

/** Free bytes where folders lie; Infinity where none is there. */
function freeNow(places: readonly string[]): number {
  const found = places.map((place) =>
    unless(isSystemError, () => {
      const { bavail, bsize } = statfsSync(place)
      return bavail * bsize
    }),
  )
  return Math.min(...found.map((bytes) => bytes ?? Infinity))
}
