import { checksOf } from '../../engine/checks/configured.ts'
import { proposalText, proposeChecks } from '../../engine/checks/proposal.ts'
import { leftCheckouts } from '../../platform/git/checkout.ts'
import { asksGuard } from '../../engine/decide/transitions.ts'
import type { Found } from '../../monitor/diagnosis/finding.ts'
import type { View } from '../../monitor/diagnosis/view.ts'

/** Whether it is the federation that says what proves its teams' work. */
export function proofFindings({ root, config, configFault, entries, archetypes }: View): Found[] {
  if (configFault !== undefined) return []
  const checks = checksOf(config)
  if (checks.length > 0) {
    const names = checks.map(({ name }) => name).join(', ')
    return [{ severity: 'ok', message: `checks: ${names}` }]
  }
  const teams = entries
    .filter(({ archetypeId }) => {
      const machine = archetypes.find(archetypeId)?.logic.machine
      return machine !== undefined && asksGuard(machine, 'testsPassedOnHead')
    })
    .map(({ domainId }) => domainId)
  if (teams.length === 0) return []
  const proposal = proposeChecks(root)
  return [
    {
      severity: 'note',
      message: `no checks are configured: any command that their agents choose proves the work of ${teams.join(', ')}`,
      fix:
        proposal === undefined
          ? 'name what proves a commit in federate.config.json, such as "checks":[{"name":"test","run":"make test"}]'
          : `federate.config.json could say ${proposalText(proposal)}`,
    },
  ]
}

/** What killed runs of checks left. */
export function checkoutFindings({ root }: View): Found[] {
  return leftCheckouts(root).map(({ place, remove }) => ({
    severity: 'note',
    where: place,
    message: 'a checkout that a killed run of checks left',
    fix: 'it can be removed; the next run of checks does so as well',
    async repair() {
      await remove()
      return 'the checkout was removed, and what still ran in it was ended'
    },
  }))
}
