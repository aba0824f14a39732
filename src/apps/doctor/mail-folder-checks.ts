import { chmodSync, lstatSync, statSync } from 'node:fs'
import type { Mailbox } from '../../records/signals/mailbox.ts'
import { archiveFolder } from '../../records/signals/archive-months.ts'
import { folderFault } from '../../platform/storage/folder-fault.ts'
import { below } from '../../platform/storage/without-links.ts'
import type { Found } from '../../monitor/diagnosis/finding.ts'
import { isInTheWay } from '../../monitor/diagnosis/kept-aside.ts'

/** Whether a mailbox has its folders, and signals and acknowledgments can be put into them. */
export function folderFindings(mailbox: Mailbox): Found[] {
  const missing = [mailbox.inbox, mailbox.outbox].filter((dir) => !isInTheWay(dir))
  return [
    ...missing.map((where): Found => ({
      severity: 'warning',
      where,
      message: `${mailbox.address}: the folder is missing`,
      fix: 'it can be made',
      repair() {
        mailbox.create()
        return 'made'
      },
    })),
    ...foldersOf(mailbox).flatMap((dir) => closed(mailbox, dir)),
  ]
}

/** Whether what is in a mailbox's folders can be looked at. */
export function hasFolders(mailbox: Mailbox): boolean {
  return foldersOf(mailbox).every((dir) => folderFault(dir)?.kind !== 'no-folder')
}

function foldersOf({ inbox, outbox, quarantine, workspace }: Mailbox): string[] {
  return [inbox, outbox, quarantine, archiveFolder(workspace)]
}

/** What the owner of a folder needs, to list it and to make files in it. */
const ownersAll = 0o700

/** A folder in which nobody can put a signal, or an acknowledgment. */
function closed({ address }: Mailbox, dir: string): Found[] {
  if (!isInTheWay(dir)) return []
  const fault = folderFault(dir)
  if (fault?.kind === 'no-folder') return [unusable(address, dir, fault.what, fault.advice)]
  const stat = statSync(dir)
  // permissions do not bind root, and its federation may be another user's
  const isShut = (stat.mode & ownersAll) !== ownersAll
  if (!isShut) return fault === undefined ? [] : [unusable(address, dir, fault.what, fault.advice)]
  const mode = (stat.mode & 0o777).toString(8).padStart(4, '0')
  const isOurs = process.getuid === undefined || [0, stat.uid].includes(process.getuid())
  const what = `nothing can be written into it (its permissions are ${mode})`
  const finding = unusable(address, dir, what, `'chmod u+rwx ${dir}', by its owner`)
  if (!isOurs) return [finding]
  return [
    {
      ...finding,
      fix: 'its owner can be given permission',
      repair() {
        below(dir, (at) => {
          // a link may have taken its place
          if (lstatSync(at).isDirectory()) chmodSync(at, (stat.mode & 0o7777) | ownersAll)
        })
        return 'its owner may write there'
      },
    },
  ]
}

function unusable(address: string, where: string, what: string, fix: string): Found {
  return { severity: 'error', where, message: `${address}: ${what}`, fix }
}
