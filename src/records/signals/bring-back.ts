import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileNamesOf } from '../../protocol/event-name.ts'
import { disk } from '../../platform/storage/disk.ts'
import { archiveFolder } from './archive-months.ts'
import { decodeSignal } from './decode.ts'
import type { Mailbox } from './mailbox.ts'
import { isSameFile, linkTo, Staging } from './staging.ts'
import { removeEmpty } from '../../platform/storage/without-links.ts'
import { finishPuttingAway } from './put-away.ts'
import { isSignalName } from './signal-file.ts'

/**
 * How long the acknowledgments come before their signals, in milliseconds: readers that began to list the
 * inbox before the acknowledgments came are done by then.
 */
const listingMs = 250

/** What came back from an archive. */
export interface BroughtBack {
  /** How many came back, or would. */
  readonly signals: number
  /** How many stay, because their acknowledgment is missing: in the inbox they would count as new. */
  readonly left: number
}

/** A signal of the archive and the name that it gets in the inbox. */
interface Return {
  readonly from: string
  readonly to: string
}

/**
 * Moves the signals of one month back into the inbox, each byte as it was. The acknowledgment is there before
 * its signal; a process that is killed in the middle is finished by the next that does this.
 */
export async function bringBack(
  mailbox: Mailbox,
  workspace: string,
  month: string,
  isDryRun = false,
): Promise<BroughtBack> {
  const dir = path.join(archiveFolder(workspace), month)
  let finished = 0
  if (!isDryRun) {
    finishPuttingAway(mailbox, workspace)
    finished = finishBringingBack(mailbox.inbox, dir)
  }
  const files = disk
    .list(dir)
    .filter((name) => isSignalName(name))
    .toSorted()
  const acknowledged = files.filter((name) => disk.exists(path.join(dir, `${name}.ack`)))
  const counts = (signals: number): BroughtBack => ({
    signals: finished + signals,
    left: files.length - signals,
  })
  if (isDryRun) return counts(acknowledged.length)
  if (acknowledged.length === 0) {
    removeEmpty(dir)
    return counts(0)
  }

  const staging = Staging.open(dir, 'returning')
  const returns = acknowledged.flatMap((name) => acknowledgeFirst(mailbox.inbox, dir, name, staging) ?? [])
  disk.syncDirectory(mailbox.inbox)
  // who began to list the inbox before the acknowledgments came must not see the signals
  await sleep(listingMs)
  const back = returns.filter(({ from, to }) => {
    const isBack = linkTo(from, to)
    // another signal took the name meanwhile, and this acknowledgment is not its own
    if (isBack === false) staging.take(`${to}.ack`, `${from}.ack`)
    return isBack
  })
  disk.syncDirectory(mailbox.inbox)
  for (const { from, to } of back) {
    staging.take(from, to)
    staging.take(`${from}.ack`, `${to}.ack`)
  }
  disk.syncDirectory(dir)
  staging.close()
  removeEmpty(dir)
  return counts(back.length)
}

/** Chooses a free name in the inbox and puts the acknowledgment there. */
function acknowledgeFirst(inbox: string, dir: string, name: string, staging: Staging): Return | undefined {
  const from = path.join(dir, name)
  for (const one of namesOf(from)) {
    const to = path.join(inbox, one)
    if (disk.exists(to) && !isSameFile(from, to)) {
      // what a killed process left must not count for the signal that has the name now
      if (isSameFile(`${from}.ack`, `${to}.ack`)) staging.take(`${to}.ack`, `${from}.ack`)
      continue
    }
    if (linkTo(`${from}.ack`, `${to}.ack`)) return { from, to }
  }
  return undefined
}

function namesOf(file: string): string[] {
  const { signal } = decodeSignal(disk.read(file) ?? '')
  const others = signal === undefined ? [] : fileNamesOf(signal).slice(1)
  return [path.basename(file), ...others]
}

/** @returns how many signals were on their way back. */
function finishBringingBack(inbox: string, dir: string): number {
  let finished = 0
  for (const staging of Staging.abandoned(dir, 'returning')) {
    for (const name of staging.files()) {
      const names = namesOf(path.join(staging.dir, name))
      const isBack = staging.settle(
        name,
        names.map((one) => path.join(inbox, one)),
        names.map((one) => path.join(dir, one)),
      )
      if (isBack && isSignalName(name)) finished += 1
    }
    for (const name of disk.list(dir).filter((one) => one.endsWith('.json.ack'))) {
      const file = path.join(dir, name)
      const isAlone = !disk.exists(file.slice(0, -'.ack'.length))
      if (isAlone && isSameFile(file, path.join(inbox, name))) staging.take(file, path.join(inbox, name))
    }
    staging.close()
  }
  return finished
}
