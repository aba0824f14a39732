import { existsSync } from 'node:fs'
import path from 'node:path'
import { changedRecords } from '../../agents/sessions/session-record.ts'
import { changedResults } from '../../engine/checks/results.ts'
import { changedTestRuns } from '../../engine/step/test-runs.ts'
import { whyUnsealed } from '../../platform/storage/seal.ts'
import { disk } from '../../platform/storage/disk.ts'
import { isFolder } from '../../platform/storage/folder-fault.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import type { RegistryEntry } from '../../protocol/registry-schema.ts'
import type { Found } from '../../monitor/diagnosis/finding.ts'
import type { View } from '../../monitor/diagnosis/view.ts'

/** What a record is told of that bears no seal of this machine's, or not the right one. */
const changed = 'fed did not write it like that on this machine'

/** Records that prove something and that somebody changed: they stay, for people to look at. */
export function changedRecordFindings({ root, entries }: View): Found[] {
  const message = whyUnsealed()
  const fix = 'move it away, and fed makes a new one; or name another folder by XDG_STATE_HOME'
  return [
    ...(message === undefined ? [] : [{ severity: 'warning' as const, message, fix }]),
    ...entries.filter(({ location }) => existsSync(location)).flatMap((entry) => oneTeam(root, entry)),
  ]
}

function oneTeam(root: string, { domainId: team, location }: RegistryEntry): Found[] {
  const { sessions, missions, testRuns } = workspaceLayout(location)
  const list = (folder: string) => (isFolder(folder) ? disk.list(folder) : [])
  const ended = list(missions).map((mission) => path.join(missions, mission, 'sessions'))
  const results = changedResults(root, team)
  const lines = changedTestRuns(location)
  return [
    ...results.map((where) =>
      finding(where, `${team}: ${changed}; this result of a check counts for nothing`),
    ),
    ...(lines.length === 0
      ? []
      : [
          finding(
            testRuns,
            `${team}: ${changed} (line ${lines.join(', ')}); such a test run counts for nothing`,
          ),
        ]),
    ...[sessions, ...ended]
      .filter(isFolder)
      .flatMap((folder) =>
        changedRecords(folder).map((name) =>
          finding(path.join(folder, name), `${team}: ${changed}; what it says of a session may be wrong`),
        ),
      ),
  ]
}

function finding(where: string, message: string): Found {
  const fix =
    "see who changed it; 'fed report tests-passed' runs checks again, and a copied federation begins anew"
  return { severity: 'warning', where, message, fix }
}
