import path from 'node:path'
import { v4 as uuid } from 'uuid'

const shape = /^\.[0-9a-f-]{36}\.(\d+)\.tmp$/

/** A name in an outbox under which this process writes what gets its own name later. */
export function temporaryIn(outbox: string): string {
  return path.join(outbox, `.${uuid()}.${process.pid}.tmp`)
}

/** The number of the process that gave a file such a name; undefined for any other name. */
export function authorOf(name: string): number | undefined {
  const [, pid] = shape.exec(name) ?? []
  return pid === undefined ? undefined : Number(pid)
}
