import { lstatSync } from 'node:fs'
import path from 'node:path'
import { NewerFormatError } from '../../errors/newer-format.ts'
import { federationLayout } from '../../protocol/folder-layout.ts'
import { assertNoLinkTo } from '../../platform/storage/without-links.ts'
import { onlyLooking } from '../../platform/git/over-leftovers.ts'
import { agentFindings } from './agent-checks.ts'
import { changedRecordFindings } from './changed-record-checks.ts'
import { checkoutFindings, proofFindings } from './proof-checks.ts'
import { configurationFindings } from './configuration-checks.ts'
import { environmentFindings } from './environment-checks.ts'
import {
  areas,
  newerFinding,
  reasonOf,
  type Area,
  type Finding,
  type Severity,
} from '../../monitor/diagnosis/finding.ts'
import { gitLeftoverFindings } from './git-leftover-checks.ts'
import { homeFindings } from './place-checks.ts'
import { leftoverFindings } from './leftover-checks.ts'
import { learningFindings } from './learning-checks.ts'
import { lifecycleFindings } from './lifecycle-checks.ts'
import { mailFindings } from './mail-checks.ts'
import { placeFault } from '../../federation/federation-home.ts'
import { admit, withOwnArchetypes, type Check, type View } from '../../monitor/diagnosis/view.ts'
import { ownFolderFindings } from './own-folder-checks.ts'
import { registryFindings, teamFindings } from './registry-checks.ts'
import { repositoryFindings } from './repository-checks.ts'
import { confinementFindings } from './confinement-checks.ts'
import { sessionFindings } from './session-checks.ts'
import { skillFindings } from './skill-checks.ts'
import { telemetryFindings, telemetryLedgerFindings } from './telemetry-checks.ts'
import { workspaceFindings } from './workspace-checks.ts'

const checks: readonly Check[] = [
  ['environment', environmentFindings],
  ['federation', homeFindings],
  ['git', repositoryFindings],
  ['git', gitLeftoverFindings],
  ['configuration', configurationFindings],
  ['configuration', proofFindings],
  ['workspaces', checkoutFindings],
  ['registry', registryFindings],
  ['teams', teamFindings],
  ['workspaces', workspaceFindings],
  ['workspaces', ownFolderFindings],
  ['workspaces', leftoverFindings],
  ['lifecycles', lifecycleFindings],
  ['mail', mailFindings],
  ['sessions', sessionFindings],
  ['sessions', changedRecordFindings],
  ['learnings', learningFindings],
  ['skills', skillFindings],
  ['agents', agentFindings],
  ['agents', confinementFindings],
  ['telemetry', telemetryFindings],
  ['telemetry', telemetryLedgerFindings],
]

/** Areas that are examined even where no federation can be: what is installed, and the place itself. */
const machineAreas: ReadonlySet<Area> = new Set(['environment', 'federation', 'agents'])

const severities: readonly Severity[] = ['error', 'warning', 'note', 'ok']

/**
 * Everything that the checks find, problems first. Changes nothing.
 * @param more checks of parts with records of their own, such as the chat.
 */
export async function examine(root: string, more: readonly Check[] = []): Promise<Finding[]> {
  const view = await withOwnArchetypes(admit(root))
  // where no federation can be, nothing of one is looked at
  const isPossible = placeFault(root) === undefined
  const found = await Promise.all(
    [...checks, ...more]
      .filter(([area]) => isPossible || machineAreas.has(area))
      .map(async ([area, check]): Promise<Finding[]> => {
        try {
          return (await onlyLooking(() => check(view))).map((one) => ({ ...one, area }))
        } catch (error) {
          if (error instanceof NewerFormatError) return [{ ...newerFinding(error), area }]
          // one thing that cannot even be looked at must not hide the others
          const message = `it could not be examined: ${reasonOf(error)}`
          return [{ severity: 'error', area, message, fix: 'put that right first' }]
        }
      }),
  )
  return found
    .flat()
    .map((finding) => onceAtHome(view, finding))
    .toSorted(
      (a, b) =>
        severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
        areas.indexOf(a.area) - areas.indexOf(b.area),
    )
}

/**
 * Where the federation was moved or copied, the finding without its repair, except in the area `federation`:
 * the rest can be repaired once the place is right.
 */
function onceAtHome({ home }: View, finding: Finding): Finding {
  if (home.kind === 'here' || finding.area === 'federation') return finding
  return { ...finding, repair: undefined }
}

/** What a repair did. */
export interface Repaired {
  readonly area: Area
  readonly where?: string
  readonly message: string
}

/**
 * Makes sure that a place below `.fed` is there, and not where a link leads that somebody put in a folder's place.
 * @throws {NotPlainFileError}
 */
function assertWithin(root: string, where: string): void {
  const { fed } = federationLayout(root)
  if (!where.startsWith(fed + path.sep)) return
  assertNoLinkTo(
    lstatSync(where, { throwIfNoEntry: false })?.isDirectory() === true ? where : path.dirname(where),
  )
}

/** Most rounds of repairs: one may uncover another, as only a readable registry lets teams be examined. */
const rounds = 4

/**
 * Repairs what can be repaired without losing anything.
 * @param more as for `examine`.
 * @returns what was done, and what is found after that.
 */
export async function repairAll(
  root: string,
  more: readonly Check[] = [],
): Promise<{ readonly fixed: readonly Repaired[]; readonly findings: readonly Finding[] }> {
  const fixed: Repaired[] = []
  const failed = new Map<string, string>()
  let findings = await examine(root, more)
  for (let round = 0; round < rounds; round += 1) {
    const before = fixed.length
    let isDoneByOthers = false
    for (const { area, where, message, repair } of findings) {
      const key = `${area} ${where} ${message}`
      if (repair === undefined || failed.has(key)) continue
      try {
        if (where !== undefined) assertWithin(root, where)
        const done = await repair()
        if (done === undefined) isDoneByOthers = true
        else fixed.push({ area, where, message: done })
      } catch (error) {
        failed.set(key, reasonOf(error))
      }
    }
    if (fixed.length > before || isDoneByOthers) findings = await examine(root, more)
    if (fixed.length === before) break
  }
  return { fixed, findings: findings.map((finding) => withFailure(finding, failed)) }
}

function withFailure(finding: Finding, failed: ReadonlyMap<string, string>): Finding {
  const reason = failed.get(`${finding.area} ${finding.where} ${finding.message}`)
  return reason === undefined
    ? finding
    : { ...finding, message: `${finding.message}; the repair failed: ${reason}` }
}

/** How many findings of each severity. */
export function tally(findings: readonly Finding[]): Record<Severity, number> {
  const count = { error: 0, warning: 0, note: 0, ok: 0 }
  for (const { severity } of findings) count[severity] += 1
  return count
}
