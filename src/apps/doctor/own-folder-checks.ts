import { folderFault } from '../../platform/storage/folder-fault.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import { META } from '../../protocol/team-id.ts'
import type { Found } from '../../monitor/diagnosis/finding.ts'
import type { View } from '../../monitor/diagnosis/view.ts'

/** What lies in the place of a workspace's own folders: every command that needs one fails there. */
export function ownFolderFindings({ root, entries }: View): Found[] {
  return [{ domainId: META, location: root }, ...entries].flatMap(({ domainId: team, location }) => {
    const { sessions, missions, skills, testLogs, codebase } = workspaceLayout(location)
    return [sessions, missions, skills, testLogs, codebase].flatMap((dir) => noFolder(team, dir))
  })
}

function noFolder(team: string, dir: string): Found[] {
  const fault = folderFault(dir)
  return fault?.kind === 'no-folder' ? [finding(team, dir, fault.what, fault.advice)] : []
}

function finding(team: string, where: string, what: string, fix: string): Found {
  return { severity: 'error', where, message: `${team}: ${what}`, fix }
}
