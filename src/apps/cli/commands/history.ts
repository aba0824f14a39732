import { type Command, Option } from 'commander'
import type { FiledSignal } from '../../../records/signals/mailbox.ts'
import { UsageError } from '../../../errors/fed-error.ts'
import { UntrustedError } from '../../../errors/untrusted-error.ts'
import type { Actor } from '../../../engine/step/world.ts'
import type { Life } from '../../../federation/federation.ts'
import type { HistoryEntry, MissionHistory } from '../../../federation/history-of-missions.ts'
import { declare, type CommonOptions } from '../declare-command.ts'
import { parseCount } from '../parse-duration.ts'
import { print, table } from '../output.ts'
import { oneLine } from '../plain-text.ts'
import { openTeamToRead, openToRead } from '../scope.ts'

type Shown = HistoryEntry & {
  /** When the team's agent was told of it: null when no session of its was. */
  readonly told: string | null
  /** What proved the work where it was accepted, in words; null where nothing had to. */
  readonly proof: string | null
}

/** Mail moves no machine; it is part of the history once it was put before the agent. */
interface ToldMail {
  readonly at: string
  readonly signal: FiledSignal
}

interface HistoryOptions extends CommonOptions {
  all?: boolean
  mission?: number
}

export function registerHistory(program: Command): void {
  declare(program, 'history [team]', 'List what a team handled, in order', 'fed history docs --mission 1')
    .option('--all', 'every mission, with those that are over')
    .addOption(
      new Option('--mission <n>', 'one of them by its number').argParser(parseCount).conflicts('all'),
    )
    .addHelpText(
      'after',
      '\nAn entry of the document is a handled signal, with its mission and the time at which it was put before the' +
        "\nagent; the text tells of mail, too, which 'fed inbox --all' has.",
    )
    .action(async (id: string | undefined, options: HistoryOptions) => {
      const life = await lifeOf(options, id)
      const { all, mission } = options
      const [{ toldTimes }, { proofOfEntry }, { missionHistories, presentHistory }, used] = await Promise.all(
        [
          import('../../../agents/sessions/shown-signals.ts'),
          import('../../../engine/decide/proof-in-words.ts'),
          import('../../../federation/history-of-missions.ts'),
          all || mission !== undefined ? usedOf(life) : undefined,
        ],
      )
      const missions =
        all || mission !== undefined ? chosen(life, missionHistories(life), mission) : undefined
      const past = missions?.map(({ number }) => number)
      const told = toldTimes(life.workspace, past)
      const show = (entry: HistoryEntry): Shown => ({
        ...entry,
        told: told.get(entry.signal) ?? null,
        proof: proofOfEntry(entry) ?? null,
      })
      if (missions !== undefined) {
        const entries = missions.flatMap((one) => one.entries.map(show))
        print(options, entries, () =>
          missions.map((one) => missionText(one, show, used?.(one.number) ?? '')).join('\n\n'),
        )
        return
      }
      // without its archetype there is no more than what was committed
      const present = 'logic' in life ? presentHistory(life) : (missionHistories(life).at(-1)?.entries ?? [])
      const entries = present.map(show)
      print(options, entries, () => {
        const toldMail = mailAmong(life, entries, told)
        return entries.length + toldMail.length === 0 ? 'nothing was handled yet' : textOf(entries, toldMail)
      })
    })
}

/** A team to be read, also one whose archetype is not trusted. */
async function lifeOf(options: CommonOptions, id: string | undefined): Promise<Life | Actor> {
  if (id !== undefined) {
    const { federation } = await openToRead(options)
    const { siteOf } = await import('../../../federation/site-of-team.ts')
    if (siteOf(federation.root, federation.addressOf(id)) !== undefined)
      return federation.lifeOf(federation.addressOf(id))
  }
  try {
    return (await openTeamToRead(options, id)).team.actor
  } catch (error) {
    if (!(error instanceof UntrustedError)) throw error
    const { federation, actor } = await openToRead(options, id)
    return federation.lifeOf(actor)
  }
}

/** @throws {UsageError} when there is no mission of that number. */
function chosen(
  { team: id }: Life,
  missions: readonly MissionHistory[],
  wanted: number | undefined,
): readonly MissionHistory[] {
  if (wanted === undefined) return missions
  const found = missions.filter(({ number }) => number === wanted)
  if (found.length > 0) return found
  const [first, last] = [missions[0]?.number, missions.at(-1)?.number]
  const known = first === last ? `its only one is ${first}` : `it has ${first} to ${last}`
  throw new UsageError(`--mission ${wanted}: ${id} has no such mission; ${known}`)
}

/** @param used what its agents used up, behind the subject. */
function missionText(
  { number, subject, entries }: MissionHistory,
  show: (one: HistoryEntry) => Shown,
  used: string,
) {
  const rows = entries.length === 0 ? 'nothing was handled' : textOf(entries.map(show), [])
  return `mission ${number}: ${oneLine(subject ?? 'none was given')}${used}\n${rows.replace(/^/gm, '  ')}`
}

/** What the agents of a mission used up, in words; empty where none has worked. */
async function usedOf({ team, workspace }: Pick<Actor, 'team' | 'workspace'>) {
  const [{ sessionsOfTeam }, { describeSpent, sumOfSpent, usageOf }] = await Promise.all([
    import('../../../agents/usage/all-sessions.ts'),
    import('../../../agents/usage/session-usage.ts'),
  ])
  const sessions = sessionsOfTeam(team, workspace)
  return (number: number) => {
    const ofMission = sessions.filter(({ session }) => session.mission === number)
    const spent = ofMission.map(({ dir, session }) => usageOf(dir, session))
    return spent.length === 0 ? '' : `; used ${describeSpent(sumOfSpent(spent))}`
  }
}

/** What was put before the agent and moved no machine. */
function mailAmong(
  { mailbox }: Life,
  entries: readonly Shown[],
  told: ReadonlyMap<string, string>,
): ToldMail[] {
  if (told.size === 0) return []
  const handled = new Set(entries.map(({ signal }) => signal))
  return mailbox.all().flatMap((signal): ToldMail[] => {
    const at = told.get(signal.id)
    return at === undefined || handled.has(signal.id) ? [] : [{ at, signal }]
  })
}

function textOf(entries: readonly Shown[], mail: readonly ToldMail[]): string {
  const rows = entries.map(row)
  for (const one of mail) {
    // what was handled keeps its order, whatever the clock did
    const later = rows.findIndex(([at = '']) => at > one.at)
    rows.splice(later < 0 ? rows.length : later, 0, mailRow(one))
  }
  return table(rows)
}

function row({ at, event, outcome, from, to, refusal, proof, told }: Shown): string[] {
  const more = refusal?.message ?? proof ?? (told === null ? '' : `put before the agent at ${told}`)
  return [at, event, outcome, from === to ? from : `${from} → ${to}`, more]
}

function mailRow({ at, signal: { type, from, subject } }: ToldMail): string[] {
  return [at, type, 'mail', `from ${from}`, `put before the agent: ${subject}`]
}
