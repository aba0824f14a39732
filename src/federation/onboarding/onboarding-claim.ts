import path from 'node:path'
import { federationLayout } from '../../protocol/folder-layout.ts'
import { claim, isClaimed } from '../../platform/storage/claim.ts'
import { disk } from '../../platform/storage/disk.ts'
import { remove } from '../../platform/storage/without-links.ts'

/** The right to make the team of a name, or to take one apart, which one process at a time has. */
interface OnboardingClaim {
  /** Folder beside the teams' own, in which a workspace may be made aside; not there yet. */
  readonly staging: string
  /** Removes the folder and gives the right back. */
  end(): void
}

/** Two names beside the teams' folders: the claim, which ends with its process, and the staging folder. */
const leftName = /^\.([a-z0-9-]+)\.(?:onboarding\.\d+|tmp)$/

/**
 * Claims the onboarding of a team; what a killed one left is removed.
 * @returns undefined while another process that lives has it.
 */
export function claimOnboarding(root: string, team: string): OnboardingClaim | undefined {
  const { fed, teams } = federationLayout(root)
  const release = claim(teams, claimName(team), fed)
  if (release === undefined) return undefined
  const staging = path.join(teams, `.${team}.tmp`)
  remove(staging)
  return {
    staging,
    end() {
      remove(staging)
      release()
    },
  }
}

/** Whether a process is onboarding a team at this moment. */
export function isBeingOnboarded(root: string, team: string): boolean {
  return isClaimed(federationLayout(root).teams, claimName(team))
}

/** Teams whose onboarding was killed and left something beside their workspaces. */
export function leftOnboardings(root: string): string[] {
  const teams = disk.list(federationLayout(root).teams).flatMap((name) => leftName.exec(name)?.[1] ?? [])
  return [...new Set(teams)].filter((team) => !isBeingOnboarded(root, team)).toSorted()
}

function claimName(team: string): string {
  return `.${team}.onboarding`
}
