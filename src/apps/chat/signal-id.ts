import { v5 as uuidOf } from 'uuid'
import type { Claim } from './chat-ledger.ts'
import type { Standing } from './whom.ts'

/** The id of a signal that a message asks for: the same however often it is carried out. */
export function signalId(
  { ledger }: Pick<Standing, 'ledger'>,
  { id }: Claim,
  team: string,
  what: string,
): string {
  return uuidOf(JSON.stringify([id, team, what]), ledger)
}
