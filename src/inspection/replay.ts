import path from 'node:path'
import { decodeLifecycle, type Lifecycle } from '../actors/lifecycle.ts'
import type { Actor } from '../actors/world.ts'
import { workspaceLayout } from '../protocol/layout.ts'
import { disk } from '../storage/disk.ts'
import type { WireMessage } from './message.ts'
import { actorMessage, messagesOf } from './messages.ts'

/**
 * A team's history as the wire tells it, from its first mission or of one mission: the same messages with the same
 * ids as while it happened.
 * @throws {CorruptDocumentError} when a version is damaged.
 */
export function* replay(actor: Actor, mission?: number): Generator<WireMessage> {
  const { machine } = actor.logic
  let present: number | undefined
  for (const commit of commitsOf(actor)) {
    if (mission !== undefined && commit.mission !== mission) continue
    const isFirst = commit.mission !== present
    present = commit.mission
    if (isFirst) yield actorMessage(machine, commit)
    yield* messagesOf(machine, commit)
  }
}

/** Every commit of a team's life in its order: those that resets put away, and those of the present mission. */
function* commitsOf({ workspace, lifecycle }: Actor): Generator<Lifecycle> {
  const { missions } = workspaceLayout(workspace)
  for (const mission of numbersIn(missions, /^(\d+)$/)) {
    const folder = path.join(missions, String(mission))
    for (const version of numbersIn(folder, /^(\d+)\.json$/)) {
      const file = path.join(folder, `${version}.json`)
      yield decodeLifecycle(JSON.parse(disk.read(file) ?? '') as unknown, file)
    }
  }
  for (const version of lifecycle.versions()) {
    const commit = lifecycle.version(version)
    if (commit !== undefined) yield commit
  }
}

function numbersIn(dir: string, shape: RegExp): number[] {
  return disk
    .list(dir)
    .flatMap((name) => shape.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((a, b) => a - b)
}
