import { isInspected } from '../inspection/is-inspected.ts'
import type { Lifecycle } from '../decide/lifecycle.ts'
import type { Actor } from './world.ts'

/** Tells whoever watches what a commit did, where somebody asked for that; it never fails. */
export async function tellWire(actor: Actor, before: Lifecycle, commit: Lifecycle): Promise<void> {
  if (!isInspected()) return
  const { inspect } = await import('../inspection/wire.ts')
  inspect(actor, before, commit)
}
