import path from 'node:path'
import { v4 as uuid } from 'uuid'
import { identify } from '../process/process-identity.ts'

const shape = /^\.[0-9a-f-]{36}\.(\d+)(?:-(\d+))?\.tmp$/

let self: { readonly pid: number; readonly name: string } | undefined

/** This process as a part of a name: its number, and when it started where that is a plain number. */
function author(): string {
  if (self?.pid !== process.pid) {
    const started = identify(process.pid)?.started ?? ''
    const name = /^\d+$/.test(started) ? `${process.pid}-${started}` : String(process.pid)
    self = { pid: process.pid, name }
  }
  return self.name
}

/**
 * A new path in a folder for what gets its final name later. It names this process, by which others see what a
 * killed one left.
 */
export function temporaryIn(folder: string): string {
  return path.join(folder, `.${uuid()}.${author()}.tmp`)
}

/** Whether a name is a temporary one: of a process that still runs, or of one that died before it was done. */
export function authorOf(name: string): 'running' | 'dead' | undefined {
  const [, pid, started] = shape.exec(name) ?? []
  if (pid === undefined) return undefined
  // in a container each run may have the number of the one before
  const present = identify(Number(pid))
  return present === undefined || (started !== undefined && started !== present.started) ? 'dead' : 'running'
}
