import { holdFor } from '../../engine/confinement/hold.ts'
import type { Found } from '../../monitor/diagnosis/finding.ts'
import type { View } from '../../monitor/diagnosis/view.ts'
import { loadConfig } from '../../records/config/load-config.ts'
import { FedError } from '../../errors/fed-error.ts'
import { unless } from '../../errors/unless.ts'

/** Whether agents are held within walls, as a launch would find out. */
export async function confinementFindings({ root }: View): Promise<Found[]> {
  // what is wrong with the configuration is told by its own check
  const config = unless(FedError, () => loadConfig(root).confinement)
  if (config === undefined) return []
  const hold = await holdFor(config, root, config.mode === 'off' ? 'off' : 'auto')
  if (!('open' in hold)) return [{ severity: 'ok', message: 'agents are held within walls (bwrap)' }]
  const { open, remedy } = hold
  return [
    { severity: 'note', message: `agents are open, and can reach all that you can: ${open}`, fix: remedy },
  ]
}
