import { existsSync } from 'node:fs'
import {
  metaHolder,
  standingsOf,
  teamHolder,
  type Holder,
  type SkillStanding,
} from '../../records/skills/holders.ts'
import { syncSkills } from '../../records/skills/sync.ts'
import { folderFault } from '../../platform/storage/folder-fault.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import { FedError } from '../../errors/fed-error.ts'
import { reasonOf, type Found } from '../../monitor/diagnosis/finding.ts'
import type { View } from '../../monitor/diagnosis/view.ts'

/** Whether each team has the skill files that its agent is told to read. */
export function skillFindings({ root, entries, config, configFault, archetypes }: View): Found[] {
  // their names stand in the configuration
  if (configFault !== undefined) return []
  const teams = entries
    .filter(({ archetypeId, location }) => archetypes.find(archetypeId) !== undefined && existsSync(location))
    .map((entry) => teamHolder(root, config, entry, archetypes.of(entry.archetypeId).skills))
  return [metaHolder(root), ...teams].flatMap(ofHolder)
}

function ofHolder(holder: Holder): Found[] {
  // another check names what lies there
  if (folderFault(workspaceLayout(holder.workspace).skills)?.kind === 'no-folder') return []
  try {
    return standingsOf(holder).flatMap((one) => ofSkill(holder, one))
  } catch (error) {
    if (!(error instanceof FedError)) throw error
    const message = `${holder.address}: ${reasonOf(error)}`
    return [{ severity: 'warning', where: holder.workspace, message, fix: 'put a folder there' }]
  }
}

function ofSkill(holder: Holder, { skill, standing, file, beside, fault }: SkillStanding): Found[] {
  const { address } = holder
  const finding = { where: file } as const
  const isPlaybook = holder.skills.some((one) => one.file === skill && one.isPlaybook)
  switch (standing) {
    case 'missing':
    case 'removed':
      // nobody is told to read the coordinator's, and what a team removed it does not want
      if (address === 'meta' || (standing === 'removed' && !isPlaybook)) {
        const message = `${address}: it is ${standing}`
        return [{ ...finding, severity: 'note', message, fix: `'fed skills sync ${address} --restore'` }]
      }
      return [
        {
          ...finding,
          severity: 'warning',
          message: `${address}: it is missing, and the agent is told to read it`,
          fix: 'write it, or take the one that ships with fed',
          repair: () => install(holder, skill),
        },
      ]
    case 'unreadable': {
      const message = `${address}: it is ${fault}, and the agent is told to read it`
      return [
        { ...finding, severity: 'warning', message, fix: `move it away, then 'fed skills sync ${address}'` },
      ]
    }
    case 'outdated':
    case 'diverged': {
      const message = `${address}: a newer one ships with fed`
      const does = standing === 'outdated' ? 'updates it' : "lays it beside the team's own"
      return [{ ...finding, severity: 'note', message, fix: `'fed skills sync ${address}' ${does}` }]
    }
    default: {
      if (beside === undefined || standing !== 'changed') return []
      const message = `${address}: a newer one lies beside it`
      return [
        {
          ...finding,
          severity: 'note',
          message,
          fix: `take over what you want from ${beside} and remove that`,
        },
      ]
    }
  }
}

function install(holder: Holder, skill: string): string | undefined {
  const wanted = holder.skills.filter(({ file }) => file === skill)
  const [done] = syncSkills(holder.workspace, wanted, true)
  return done?.action === 'installed' || done?.action === 'restored'
    ? 'installed as it ships with fed'
    : undefined
}
