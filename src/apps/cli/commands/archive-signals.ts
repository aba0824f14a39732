import { counted } from '../../../errors/printable.ts'
import { InvalidArgumentError, Option, type Command } from 'commander'
import { presentMs } from '../../../protocol/clock.ts'
import { NotFoundError, UsageError } from '../../../errors/fed-error.ts'
import type { Federation } from '../../../federation/federation.ts'
import type { ArchivedMonth } from '../../../records/signals/archive-months.ts'
import type { Mailbox } from '../../../records/signals/mailbox.ts'
import { parseAge } from '../parse-moment.ts'
import { declare, type CommonOptions } from '../declare-command.ts'
import { note, print, table } from '../output.ts'
import { openScope } from '../scope.ts'

interface ArchiveOptions extends CommonOptions {
  /** Milliseconds. */
  olderThan?: number
  restore?: string
  list?: boolean
  dryRun?: boolean
}

/** A mailbox and the workspace in which it lies. */
interface Place {
  readonly address: string
  readonly mailbox: Mailbox
  readonly workspace: string
}

export function registerArchiveSignals(program: Command): void {
  declare(
    program,
    'archive-signals [address]',
    'Move old acknowledged signals out of an inbox, or back; without an address, of meta and every team',
    'fed archive-signals --older-than 30d',
  )
    .addOption(
      new Option('--older-than <age>', 'what was acknowledged longer ago, such as 12h, 30d or 8w')
        .argParser(parseAge)
        .conflicts(['restore', 'list']),
    )
    .addOption(
      new Option('--restore <month>', 'move the signals of a month (UTC, such as 2026-11) back')
        .argParser(parseMonth)
        .conflicts('list'),
    )
    .option('--list', 'show what is archived')
    .option('--dry-run', 'only say what would be moved')
    .addHelpText(
      'after',
      '\nSignals go to .fed/signals/archive/<month>/ of their workspace, with their acknowledgments; nothing is' +
        '\ndeleted, and unacknowledged signals stay. The inbox, read and ack commands look into the inbox only.' +
        '\nCopies in outboxes stay where they are.',
    )
    .action(async (address: string | undefined, options: ArchiveOptions) => {
      const { olderThan, restore } = options
      if (olderThan === undefined && restore === undefined && !options.list)
        throw new UsageError('what to archive? give --older-than <age>, or --restore <month>, or --list')
      const { federation } = await openScope(options)
      const places = await placesOf(federation, address)
      if (options.list) return list(options, places)
      if (restore !== undefined) return bringBackAll(options, places, restore)
      return putAwayAll(options, places, olderThan as number)
    })
}

function parseMonth(text: string): string {
  if (/^\d{4}-(?:0[1-9]|1[0-2])$/.test(text)) return text
  throw new InvalidArgumentError('give a month such as 2026-11.')
}

/** @throws {TeamNotFoundError} */
async function placesOf(federation: Federation, address: string | undefined): Promise<Place[]> {
  const { META } = await import('../../../protocol/team-id.ts')
  const meta = { address: META, mailbox: federation.mailbox(META), workspace: federation.root }
  const placeOf = (team: string): Place => ({
    address: team,
    mailbox: federation.mailbox(team),
    workspace: federation.registry.entry(team).location,
  })
  if (address !== undefined) return [address === META ? meta : placeOf(address)]
  return [meta, ...federation.registry.read().teams.map(({ domainId }) => placeOf(domainId))]
}

async function putAwayAll(options: ArchiveOptions, places: readonly Place[], age: number): Promise<void> {
  const { putAway } = await import('../../../records/signals/put-away.ts')
  const before = presentMs() - age
  const dryRun = options.dryRun === true
  const mailboxes = places.map(({ address, mailbox, workspace }) => ({
    address,
    ...putAway(mailbox, workspace, before, dryRun),
  }))
  const moved = mailboxes.filter(({ signals }) => signals > 0)
  print(options, { before: new Date(before).toISOString(), dryRun, mailboxes }, () =>
    moved.length === 0
      ? 'nothing is that old and acknowledged'
      : table([
          ...moved.map(({ address, signals, months }) => [
            address,
            `${counted(signals, 'signal')} ${dryRun ? 'would be archived' : 'archived'}`,
            Object.keys(months).toSorted().join(', '),
          ]),
        ]),
  )
  if (!dryRun && moved.length > 0) note(options, "'fed archive-signals --restore <month>' moves a month back")
}

async function bringBackAll(options: ArchiveOptions, places: readonly Place[], month: string): Promise<void> {
  const { bringBack } = await import('../../../records/signals/bring-back.ts')
  const dryRun = options.dryRun === true
  const all = await Promise.all(
    places.map(async ({ address, mailbox, workspace }) => ({
      address,
      ...(await bringBack(mailbox, workspace, month, dryRun)),
    })),
  )
  const mailboxes = all.filter(({ signals, left }) => signals + left > 0)
  if (mailboxes.length === 0) {
    const whose = places.length === 1 ? ` of ${places[0]?.address}` : ''
    throw new NotFoundError(
      `no signal${whose} of ${month} is archived; 'fed archive-signals --list' shows what is`,
    )
  }
  print(options, { month, dryRun, mailboxes }, () =>
    table(
      mailboxes.map(({ address, signals, left }) => [
        address,
        `${counted(signals, 'signal')} of ${month} ${dryRun ? 'would be moved back' : 'back in the inbox'}`,
        left === 0 ? '' : `${left} without an acknowledgment stayed`,
      ]),
    ),
  )
}

async function list(options: ArchiveOptions, places: readonly Place[]): Promise<void> {
  const { archivedMonths } = await import('../../../records/signals/archive-months.ts')
  const mailboxes = places.map(({ address, workspace }) => ({ address, months: archivedMonths(workspace) }))
  const row = (address: string, { month, signals, folder }: ArchivedMonth) => [
    address,
    month,
    counted(signals, 'signal'),
    folder,
  ]
  const rows = mailboxes.flatMap(({ address, months }) => months.map((month) => row(address, month)))
  print(options, { mailboxes }, () => (rows.length === 0 ? 'nothing is archived' : table(rows)))
}
