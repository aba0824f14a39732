import { RefusedError } from '../errors/fed-error.ts'
import type { Federation } from './federation.ts'
import { assertLivesHere } from './elsewhere.ts'
import { META } from '../protocol/team-id.ts'
import type { FiledSignal } from '../records/signals/mailbox.ts'

/**
 * Who acknowledges a signal. `mail`: its reader; `handled`: the machine, and it has; `waiting`: the machine,
 * and the text says why it has not yet.
 */
export type Disposition = 'mail' | 'handled' | { readonly waiting: string }

/**
 * Tells who acknowledges a signal. Where that is the machine, the team is stepped first, so that reading a
 * signal never loses an event.
 * @throws {RefusedError} when the signal lies in this inbox but is for somebody else, or for one of another site.
 */
export async function dispose(
  federation: Federation,
  address: string,
  signal: FiledSignal,
): Promise<Disposition> {
  assertLivesHere(federation.root, address)
  if (signal.to !== address) {
    throw new RefusedError(`${signal.file} is for ${signal.to}, not for ${address}; it stays as it is`)
  }
  if (address === META || signal.acknowledged === true) return 'mail'
  const team = await federation.team(address)
  if (!team.handles(signal)) return 'mail'
  await team.step()
  if (team.mailbox.find(signal.file).acknowledged === true) return 'handled'
  return {
    waiting: `${signal.file} is for ${address}'s machine, which takes it later (now it is ${team.present().state}); it stays unacknowledged until then`,
  }
}

/**
 * Acknowledges a signal for whoever read it.
 * @throws {RefusedError} when it is an event that waits for a state that takes it.
 */
export async function acknowledgeMail(
  federation: Federation,
  address: string,
  signal: FiledSignal,
): Promise<void> {
  const disposition = await dispose(federation, address, signal)
  if (typeof disposition === 'object') throw new RefusedError(disposition.waiting)
  if (disposition === 'mail') federation.mailbox(address).acknowledgeFiles([signal.file])
}
