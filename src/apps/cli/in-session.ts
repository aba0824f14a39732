import type { Command } from 'commander'
import { ask } from '../../agents/tray/ask.ts'
import { FederationNotFoundError } from '../../errors/team-errors.ts'
import { unless } from '../../errors/unless.ts'
import { findRoot } from '../../federation/root.ts'
import { COMPLETE } from './completion/complete.ts'
import { RefusedError } from '../../errors/fed-error.ts'
import { refusalFor, type Target } from '../../protocol/rights-table.ts'
import { META } from '../../protocol/team-id.ts'

/** Commands that ask by the tray, where it is decided whether they may. */
const byTray = new Set(['report', 'alert', 'learn', 'send', 'reply', 'read', 'ack', 'check', 'status'])

/**
 * Lets an agent's command begin, if an agent may give it. What it may not, whoever serves the session's tray is
 * told, who refuses it and tells `meta`.
 * @throws {RefusedError | RelayedError}
 */
export async function assertMay(action: Command, tray: string): Promise<void> {
  let command = action
  while (command.parent?.parent) command = command.parent
  const verb = command.name() === COMPLETE ? 'completion' : command.name()
  if (byTray.has(verb)) return
  // whatever the environment says: the tray lies in the workspace of the team whose session it is
  const own = unless(FederationNotFoundError, () => findRoot(tray))?.team
  const named: unknown = action.opts()['team'] ?? action.processedArgs[0] ?? process.env['FED_TEAM']
  const target: Target = named === undefined || named === own ? 'own' : named === META ? 'meta' : 'other'
  const refusal = refusalFor(verb, target)
  if (refusal === undefined) return
  await ask(tray, { verb, args: {}, ...(typeof named === 'string' && target !== 'own' ? { as: named } : {}) })
  throw new RefusedError(`'fed ${verb}': ${refusal}`)
}
