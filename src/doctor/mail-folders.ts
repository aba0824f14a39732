import { accessSync, chmodSync, constants, existsSync, statSync } from 'node:fs'
import type { Mailbox } from '../signals/mailbox.ts'
import type { Finding } from './finding.ts'
import { reasonOf } from './reason.ts'

const area = 'mail'

/** Whether a mailbox has its folders, and signals and acknowledgments can be put into them. */
export function folderFindings(mailbox: Mailbox): Finding[] {
  const missing = [mailbox.inbox, mailbox.outbox].filter((dir) => !existsSync(dir))
  return [
    ...missing.map((where): Finding => ({
      severity: 'warning',
      area,
      where,
      message: `${mailbox.address}: the folder is missing`,
      fix: 'it can be made',
      repair() {
        mailbox.create()
        return 'made'
      },
    })),
    ...[mailbox.inbox, mailbox.outbox, mailbox.quarantine].flatMap((dir) => closed(mailbox, dir)),
  ]
}

/** What the owner of a folder needs, to list it and to make files in it. */
const ownersAll = 0o700

/** A folder in which nobody can put a signal, or an acknowledgment. */
function closed({ address }: Mailbox, dir: string): Finding[] {
  const stat = statSync(dir, { throwIfNoEntry: false })
  if (!stat?.isDirectory()) return []
  const reason = refusalOf(dir)
  // permissions do not bind root, and its federation may be another user's
  const isShut = (stat.mode & ownersAll) !== ownersAll
  if (reason === undefined && !isShut) return []
  const mode = (stat.mode & 0o777).toString(8).padStart(4, '0')
  const message = `${address}: nothing can be written into it (${isShut ? `its permissions are ${mode}` : reason})`
  const isOurs = process.getuid === undefined || [0, stat.uid].includes(process.getuid())
  const finding: Finding = {
    severity: 'error',
    area,
    where: dir,
    message,
    fix: `'chmod u+rwx ${dir}', by its owner`,
  }
  if (!isShut || !isOurs) return [{ ...finding, fix: isShut ? finding.fix : 'make it writable' }]
  return [
    {
      ...finding,
      fix: 'its owner can be given permission',
      repair() {
        chmodSync(dir, (stat.mode & 0o7777) | ownersAll)
        return 'its owner may write there'
      },
    },
  ]
}

function refusalOf(dir: string): string | undefined {
  try {
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    return reasonOf(error)
  }
}
