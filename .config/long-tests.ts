import { readFileSync, writeFileSync } from 'node:fs'

const file = new URL('long-tests.json', import.meta.url)

/** From here on a test is a long one, in milliseconds. */
const longMs = 500

/** A test by its file and names, as `long-tests.json` has it. */
export function longName(at: string, name: string): string {
  return `${at} > ${name}`
}

/** The long tests, as they were when all were timed last (`npm run test:timed`). */
export function longTests(): ReadonlySet<string> {
  return new Set(JSON.parse(readFileSync(file, 'utf8')) as string[])
}

/** @param durations of all tests by their names, in milliseconds. */
export function noteLongTests(durations: ReadonlyMap<string, number>): void {
  const long = [...durations].flatMap(([name, duration]) =>
    // a name that holds a path is another one elsewhere
    duration > longMs && !name.includes(process.cwd()) ? [name] : [],
  )
  writeFileSync(file, `${JSON.stringify(long.toSorted(), null, 2)}\n`)
}
