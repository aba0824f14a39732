import { lstatSync } from 'node:fs'
import path from 'node:path'
import type { Lifecycle } from '../decide/lifecycle.ts'
import type { Actor } from '../step/world.ts'
import { federationLayout } from '../../protocol/folder-layout.ts'
import { appendPlain, makePlain } from '../../platform/storage/plain-file.ts'
import { makeFolders, move, remove } from '../../platform/storage/without-links.ts'
import type { WireMessage } from './message.ts'
import { actorMessage, messagesOf } from './messages-of-commit.ts'

/** A longer wire is put aside, and a new one begun; the one before that is dropped: the history holds everything. */
const longestWire = 16 * 1024 * 1024

/**
 * Appends what a commit did to the federation's wire (`.fed/inspection/wire.jsonl`): whole lines in one write, not
 * flushed. Nobody waits for a reader, and a write that fails is left out, because the wire is only a copy of the
 * history.
 * @param before the commit that it follows.
 */
export function inspect(actor: Actor, before: Lifecycle, commit: Lifecycle): void {
  try {
    const { inspection } = federationLayout(actor.world.root)
    makeFolders(inspection)
    const { machine } = actor.logic
    // a mission begins with its own first snapshot; one under way is told as it stood before this commit
    const first = before.mission === commit.mission ? before : commit
    const isNew = rotate(inspection) || !isRegistered(inspection, commit)
    const messages: WireMessage[] = [
      ...(isNew && register(inspection, commit) ? [actorMessage(machine, first)] : []),
      ...messagesOf(machine, commit),
    ]
    append(path.join(inspection, WIRE), messages)
  } catch (error) {
    if (process.env.FED_DEBUG !== undefined) process.stderr.write(`fed: the wire: ${String(error)}\n`)
  }
}

const WIRE = 'wire.jsonl'

function append(file: string, messages: readonly WireMessage[]): void {
  if (messages.length === 0) return
  // what a full disk left of a line stays a line of its own
  const text = messages.map((message) => `${JSON.stringify(message)}\n`).join('')
  appendPlain(file, text)
}

function marker(inspection: string, { team, mission }: Lifecycle): string {
  return path.join(inspection, 'actors', `${team}.${mission}`)
}

function isRegistered(inspection: string, commit: Lifecycle): boolean {
  return lstatSync(marker(inspection, commit), { throwIfNoEntry: false }) !== undefined
}

/** One process tells the wire of a machine; false when another was faster. */
function register(inspection: string, commit: Lifecycle): boolean {
  makeFolders(path.join(inspection, 'actors'))
  return makePlain(marker(inspection, commit))
}

/** Begins a new wire where this one is too long; every machine is told to it anew. */
function rotate(inspection: string): boolean {
  const file = path.join(inspection, WIRE)
  const size = lstatSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size < longestWire) return false
  move(file, path.join(inspection, 'wire.1.jsonl'))
  remove(path.join(inspection, 'actors'))
  return true
}
