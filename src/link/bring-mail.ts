import path from 'node:path'
import type { Federation } from '../federation/federation.ts'
import { createOnce, disk, makeDirectory } from '../platform/storage/disk.ts'
import { federationLayout, placeOfAbsent } from '../protocol/folder-layout.ts'
import type { SignalMessage } from '../protocol/signal.ts'
import { META } from '../protocol/team-id.ts'
import { deliverAll } from '../records/signals/deliver.ts'
import type { Link } from './connection.ts'
import { bringSignals, counting, senderHere, stepAll } from './incoming.ts'
import { lifeIn, versionFiles } from './publish-life.ts'
import { messagesOf } from './read-stream.ts'
import type { View } from './line-view.ts'

/** Folder with a mark for each team that is being brought here, and one for each epoch in which one was. */
function folderOf(root: string): string {
  return path.join(federationLayout(root).link, 'brought')
}

/** Whether what is here of a team, or of meta, came here in this epoch, or began: otherwise it is what was here before. */
export function isBrought(root: string, id: string, epoch: number): boolean {
  return disk.exists(path.join(folderOf(root), `${id}-${epoch}.done`))
}

/** Notes that what is here of a team came here in this epoch, or began here. */
export function markBrought(root: string, id: string, epoch: number): void {
  makeDirectory(folderOf(root))
  createOnce(path.join(folderOf(root), `${id}-${epoch}.done`), '', federationLayout(root).link)
}

/** Whether a team that is registered here was not brought whole: a killed process left it. */
export function isBeingBrought(root: string, id: string): boolean {
  return disk.exists(path.join(folderOf(root), `${id}.begun`))
}

/** Notes that a team is being brought here, durable. */
export function beginBringing(root: string, id: string): void {
  const folder = folderOf(root)
  makeDirectory(folder)
  createOnce(path.join(folder, `${id}.begun`), '', federationLayout(root).link)
  disk.syncDirectory(folder)
}

/**
 * Brings a team that was registered here the signals that were sent to it, and sends what its accepted versions asked to
 * be sent and no server has: of that its site may have died before it left. Again it changes nothing.
 * @throws {LinkDownError}
 */
export async function bringMail(federation: Federation, link: Link, view: View, id: string): Promise<void> {
  await bringSignals(federation, link, view, id)
  // what moved on purpose had sent everything
  if (view.team(id)?.parcel === undefined) {
    for (const { domainId } of federation.registry.read().teams)
      if (domainId !== id) await deliverHere(federation, sentBy(federation, domainId), (to) => to === id)
    await sendAgain(federation, link, view, id)
  }
  // what came is taken up, as everything that comes
  await stepAll(federation, [id])
  const { epoch } = view.own(id) ?? {}
  if (epoch !== undefined) markBrought(federation.root, id, epoch)
  disk.unlink(path.join(folderOf(federation.root), `${id}.begun`))
}

/** Brings meta, where it came to live here, the mail that it had elsewhere, once. */
export async function bringMeta(federation: Federation, link: Link, view: View): Promise<void> {
  const known = view.own(META)
  if (known === undefined || known.tenures.length < 2) return
  const { root } = federation
  if (isBrought(root, META, known.epoch)) return
  await bringSignals(federation, link, view, META)
  for (const { domainId } of federation.registry.read().teams)
    await deliverHere(federation, sentBy(federation, domainId), (to) => to === META)
  markBrought(root, META, known.epoch)
}

/** What the versions of a team that lives here asked to be sent, in order. */
function sentBy(federation: Federation, id: string): SignalMessage[] {
  return [...versionFiles(federation.registry.entry(id).location).values()]
    .flatMap((file) => lifeIn(file)?.effects ?? [])
    .flatMap((effect) => (effect.kind === 'send' ? [effect.signal] : []))
}

/** Delivers what is for somebody who lives here; what was delivered already is not delivered again. */
async function deliverHere(
  federation: Federation,
  signals: readonly SignalMessage[],
  isMeant: (to: string) => boolean,
): Promise<void> {
  await deliverAll(
    signals.flatMap((signal) => {
      const to = isMeant(signal.to) ? federation.mailboxOf(signal.to) : undefined
      if (to === undefined || !to.isThere() || to.workspace === placeOfAbsent(federation.root, signal.to))
        return []
      const from = federation.mailboxOf(signal.from)
      return [{ signal, from: from?.isThere() ? from : senderHere(federation, signal.from), to }]
    }),
  )
}

async function sendAgain(federation: Federation, link: Link, view: View, id: string): Promise<void> {
  const signals = sentBy(federation, id)
  await deliverHere(federation, signals, () => true)
  const far = signals.filter(({ from, to }) => {
    const recipient = view.team(to)
    return from === id && recipient !== undefined && !recipient.isGone && recipient.site !== view.site
  })
  const waiting: SignalMessage[] = []
  for (const address of new Set(far.map(({ to }) => to))) {
    const known = await counting(link, view, await messagesOf(link, link.names.signal('*', address)))
    const sent = new Set(known.map(({ signal }) => signal.id))
    waiting.push(...far.filter((signal) => signal.to === address && !sent.has(signal.id)))
  }
  const from = federation.mailbox(id)
  await deliverAll(
    waiting.flatMap((signal) => {
      const to = federation.mailboxOf(signal.to)
      return to === undefined ? [] : [{ signal, from, to }]
    }),
  )
}
