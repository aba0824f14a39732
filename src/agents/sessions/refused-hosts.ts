import { v5 as uuidOf } from 'uuid'
import { printable } from '../../errors/printable.ts'
import type { Refused } from '../../platform/confinement/network/proxy.ts'
import { compose } from '../../records/signals/compose.ts'
import { deliverAll } from '../../records/signals/deliver.ts'
import { META } from '../../protocol/team-id.ts'
import type { Team } from '../../federation/team.ts'
import { entryFor } from '../../engine/confinement/allowed-hosts.ts'
import type { SessionRecord } from './session-record.ts'

/** Namespace of the ids of the messages to `meta` about refused hosts. */
const NAMESPACE = 'd3b3d5a9-0a6e-4b0c-9a55-6c8f2f1b7e40'

/** Most hosts that the message names; the session's log has all that were told. */
const mostNamed = 20

/** Longest name of a host that is shown, in characters: DNS has none that is longer. */
const longestName = 255

/** A refused host in one line. */
export function describeRefused({ host, port, why }: Refused): string {
  return `fed: no connection to ${printable(host, longestName)}:${port}: ${printable(why, 2 * longestName)}`
}

/** Tells `meta` once which hosts a session's agent could not reach, and what would allow them. */
export async function tellOfRefused(
  team: Team,
  { mission, number }: Pick<SessionRecord, 'mission' | 'number'>,
  refused: readonly Refused[],
): Promise<void> {
  const meta = team.actor.world.mailboxOf(META)
  if (refused.length === 0 || meta === undefined) return
  const named = refused.slice(0, mostNamed)
  const entries = [...new Set(named.map((one) => printable(entryFor(one), longestName)))]
  const signal = compose({
    from: team.id,
    to: META,
    type: 'report',
    subject: 'Hosts refused during a session',
    body: [
      `The agent of '${team.id}' tried to reach hosts that it may not reach:`,
      '',
      ...named.map(
        ({ host, port, why }) => `- ${printable(host, longestName)}:${port} (${printable(why, 255)})`,
      ),
      ...(refused.length > named.length ? [`and ${refused.length - named.length} more`] : []),
      '',
      `If it needs them, add to 'confinement' in federate.config.json: "hosts": ${JSON.stringify(entries)}`,
    ].join('\n'),
    id: uuidOf(`${team.id}/${mission}-${number}`, NAMESPACE),
  })
  await deliverAll([{ signal, from: team.mailbox, to: meta }])
}
