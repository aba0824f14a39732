import { presentMs } from '../../protocol/clock.ts'
import type { Federation } from '../../federation/federation.ts'
import { metaFindings } from '../../monitor/meta-mail.ts'
import { META } from '../../protocol/team-id.ts'
import type { RegistryEntry } from '../../protocol/registry-schema.ts'
import { FedError } from '../../errors/fed-error.ts'
import { describeSpent, spentByMission, sumOfSpent } from '../../agents/usage/session-usage.ts'
import type { Meant, Standing } from './whom.ts'
import { isBlocked } from './whom.ts'
import { brief, clipped, headline, needsOf, viewTeam } from './team-lines.ts'

/** What is needed to tell where teams stand. */
type Told = Pick<Standing, 'federation' | 'name'>

function entriesOf({ federation }: Told, { teams }: Pick<Meant, 'teams'>): RegistryEntry[] {
  return federation.registry.read().teams.filter(({ domainId }) => teams.includes(domainId))
}

/** Where the teams stand, what needs a person first; all of them without `meant`. */
export async function statusText(told: Told, meant?: Meant): Promise<string> {
  const { federation, name } = told
  const { teams } = federation.registry.read()
  const entries = meant === undefined ? teams : entriesOf(told, meant)
  const isWhole = entries.length === teams.length && meant?.isEverybody !== false
  if (teams.length === 0) return `${name}: no teams yet; 'fed run "<mission>"' makes the first one.`
  if (entries.length === 0) return 'No team is.'
  const views = []
  for (const entry of entries) views.push(await viewTeam(federation, entry))
  const meta = federation.mailbox(META)
  const mail = isWhole ? meta.unacknowledged() : []
  const findings = isWhole ? metaFindings(meta, mail, presentMs()) : []
  const needs = needsOf(federation.root, [...findings, ...views.flatMap((view) => view.findings)], mail)
  return [
    ...(isWhole ? [headline(name, teams.length, needs.length)] : []),
    ...clipped(needs.map(({ line }) => line)),
    ...clipped(views.map(({ line }) => line)),
  ].join('\n')
}

/** What a person has to do, for everybody or for some teams. */
export async function needsText(told: Told, meant: Meant): Promise<string> {
  const { federation, name } = told
  const entries = entriesOf(told, meant)
  const findings = []
  for (const entry of entries) findings.push(...(await viewTeam(federation, entry)).findings)
  const meta = federation.mailbox(META)
  const mail = meta.unacknowledged().filter(({ from }) => meant.isEverybody || meant.teams.includes(from))
  const own = meant.isEverybody ? metaFindings(meta, mail, presentMs()) : []
  const needs = needsOf(federation.root, [...own, ...findings], mail)
  if (meant.isEverybody)
    return [headline(name, entries.length, needs.length), ...clipped(needs.map(({ line }) => line))].join(
      '\n',
    )
  if (needs.length === 0) return `${meant.teams.join(', ')}: nothing needs you`
  return clipped(needs.map(({ line }) => line)).join('\n')
}

/** Why teams stand where they are; of everybody only those that do not go on by themselves. */
export async function whyText(told: Told, meant: Meant): Promise<string> {
  const lines: string[] = []
  for (const entry of entriesOf(told, meant)) lines.push(await whyOf(told.federation, entry))
  return lines.length === 0 ? 'Nobody is blocked.' : clipped(lines).join('\n')
}

async function whyOf(federation: Federation, entry: RegistryEntry): Promise<string> {
  const id = entry.domainId
  const [{ presentLook }, { unreadable }, { waitsFor }] = await Promise.all([
    import('../../monitor/team-health.ts'),
    import('../../monitor/health.ts'),
    import('../../agents/sessions/open-questions.ts'),
  ])
  const told = (words: string) => brief(words).replaceAll(`${federation.root}/`, '')
  if (entry.status === 'archived') return `· ${id} is archived; restore takes it back`
  try {
    const team = await federation.openEntry(entry)
    const { facts, findings } = presentLook(entry, team)
    const present = team.present()
    const asked = waitsFor(facts.asks)
    const since = `${facts.since.slice(0, 16).replace('T', ' ')} UTC`
    const reasons = [
      ...(present.paused ? [`paused since ${since}: ${team.reasonOfPause() ?? 'nobody said why'}`] : []),
      ...(facts.failure === null ? [] : [`failed: ${facts.failure}`]),
      ...(asked === null ? [] : [`waits for an answer of ${asked.to}: ${asked.subject}`]),
      ...(present.waits && asked === null ? [`${present.state}: it waits for others`] : []),
      ...findings.filter(({ kind }) => kind !== 'failed').map(({ message, fix }) => `${message}; ${fix}`),
    ]
    if (reasons.length > 0) return `· ${id} is ${told(reasons.join('; ')).replace(/^waits/, 'waiting')}`
    const state = isBlocked(present, false) ? present.state : `${present.state}, and nothing keeps it`
    return `· ${id} is ${state}`
  } catch (error) {
    if (!(error instanceof FedError)) throw error
    const { message, fix } = unreadable(entry, error)
    return `· ${id} cannot be read: ${told(`${message}; ${fix}`)}`
  }
}

/** What teams' present missions have used up so far, as far as their agents tell. */
export async function costText(told: Told, meant: Meant): Promise<string> {
  const entries = entriesOf(told, meant)
  const lines: string[] = []
  const all = []
  for (const entry of entries) {
    try {
      const spent = spentByMission(await told.federation.openEntry(entry))
      all.push(spent)
      lines.push(`· ${entry.domainId}: ${describeSpent(spent)}`)
    } catch (error) {
      if (!(error instanceof FedError)) throw error
      lines.push(`· ${entry.domainId} cannot be read`)
    }
  }
  if (entries.length === 0) return 'There is no team.'
  const head = `The present missions have used ${describeSpent(sumOfSpent(all))}, as far as the agents tell`
  return [...(entries.length === 1 ? [] : [head]), ...clipped(lines)].join('\n')
}

/** What waits in the mailbox of meta. */
export function inboxText({ federation }: Pick<Told, 'federation'>): string {
  const mail = federation.mailbox(META).unacknowledged()
  if (mail.length === 0) return 'Nothing waits for you.'
  const order = ['alert', 'question', 'directive', 'report']
  const sorted = mail.toSorted((a, b) => order.indexOf(a.type) - order.indexOf(b.type))
  const count = mail.length === 1 ? '1 signal waits' : `${mail.length} signals wait`
  return [
    `${count}; 'fed read meta <id>' shows one:`,
    ...clipped(
      sorted.map(
        ({ id, from, type, subject }) => `· ${type} from ${from}: ${brief(subject, 120)} (${id.slice(0, 8)})`,
      ),
    ),
  ].join('\n')
}
