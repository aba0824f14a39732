import { execFile } from 'node:child_process'
import { v5 as uuidOf } from 'uuid'
import { controlSubjects } from '../../machines/guards.ts'
import type { Federation } from '../federation.ts'
import { program } from '../package.ts'
import { kebab } from '../protocol/event-name.ts'
import { META } from '../protocol/team-id.ts'
import { metaFindings } from '../monitor/meta-mail.ts'
import { almostControl } from '../teams/control-word.ts'
import { say } from '../teams/say.ts'
import { subjectOf } from '../teams/mission.ts'
import type { Team } from '../teams/team.ts'
import type { ControlKind } from './phrases.ts'
import type { Claim, Ledger, LedgerCommand } from './ledger.ts'
import { brief, clipped, hasAgentAtWork, headline, needsOf, viewTeam } from './team-lines.ts'

/** What carrying a command out needs to know. */
export interface Standing {
  readonly federation: Federation
  /** What people call the federation. */
  readonly name: string
  /** The ledger's id: signals take their ids from it and from the message. */
  readonly ledger: string
}

/** What came of a command. */
export interface Result {
  readonly text: string
  /** Questions to teams whose answers are still to be told. */
  readonly asked?: Ledger['asked']
}

/** Longest a launch may take to say that it began, in milliseconds. */
const launchMs = 60_000

/**
 * Carries out a command that needs no model. Doing it again, because a process was killed before it could note
 * that it did, sends no second signal: their ids and times come from the message.
 */
export async function carryOut(
  standing: Standing,
  claim: Claim & { readonly command: Exclude<LedgerCommand, { kind: 'free' }> },
): Promise<Result> {
  const { command } = claim
  switch (command.kind) {
    case 'status':
      return { text: await statusText(standing, command.teams) }
    case 'inbox':
      return { text: inbox(standing) }
    case 'help':
      return { text: helpText(standing) }
    case 'thanks':
      return { text: 'Any time.' }
    case 'tell':
      return {
        text: await eachTeam(standing, command.teams, (team) => tell(standing, claim, team, command.text)),
      }
    case 'ask':
      return ask(standing, claim, command)
    case 'unknown-team':
      return { text: unknownTeam(standing, command) }
    case 'incomplete':
      return { text: incomplete(standing, command.verb) }
    case 'too-long':
      return { text: 'That is too long for a command; put it into a file, and name the file.' }
    default:
      return { text: await control(standing, claim, command) }
  }
}

/** What can be said, without a mention that would call the bridge again. */
export function helpText({ name }: Pick<Standing, 'name'>): string {
  return [
    `Say one of these behind an @ and ${name}:`,
    '· status, or status docs: where the teams stand',
    '· pause docs, resume docs, launch docs, archive docs, restore docs; also "docs and api", or "all"',
    '· tell docs <what to do>: a mission, or an instruction for the one under way',
    '· ask docs <question>: its answer comes here',
    '· inbox: what waits for somebody',
  ].join('\n')
}

/** Where the teams stand, all or these, what needs a person first. */
export async function statusText(
  { federation, name }: Pick<Standing, 'federation' | 'name'>,
  ids: readonly string[] = [],
): Promise<string> {
  const { teams } = federation.registry.read()
  const entries = ids.length === 0 ? teams : teams.filter(({ domainId }) => ids.includes(domainId))
  if (teams.length === 0) return `${name}: no teams yet; 'fed run "<mission>"' makes the first one.`
  const views = []
  for (const entry of entries) views.push(await viewTeam(federation, entry))
  const meta = federation.mailbox(META)
  const mail = ids.length === 0 ? meta.unacknowledged() : []
  const findings = ids.length === 0 ? metaFindings(meta, mail, Date.now()) : []
  const needs = needsOf(federation.root, [...findings, ...views.flatMap((view) => view.findings)], mail)
  return [
    ...(ids.length === 0 ? [headline(name, teams.length, needs.length)] : []),
    ...clipped(needs.map(({ line }) => line)),
    ...clipped(views.map(({ line }) => line)),
  ].join('\n')
}

function inbox({ federation }: Standing): string {
  const meta = federation.mailbox(META)
  const mail = meta.unacknowledged()
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

function unknownTeam(
  { federation }: Standing,
  { given, nearest }: LedgerCommand & { kind: 'unknown-team' },
): string {
  const ids = federation.registry.read().teams.map(({ domainId }) => domainId)
  const none = `There is no team ${brief(given, 64)}`
  if (ids.length === 0) return `${none}, and no other yet. Nothing was done.`
  const meant = nearest === null ? '' : `; the nearest is ${nearest}`
  return `${none}${meant}. Nothing was done. Teams: ${clipped(ids).join(', ')}.`
}

function incomplete({ federation }: Standing, verb: string): string {
  const ids = federation.registry.read().teams.map(({ domainId }) => domainId)
  if (ids.length === 0) return `There is no team yet to ${verb}.`
  const what =
    verb === 'tell' || verb === 'ask'
      ? `whom, and what? For example: ${verb} ${ids[0]} …`
      : `whom? ${clipped(ids).join(', ')}, or all`
  return `${verb[0]?.toUpperCase()}${verb.slice(1)} ${what}`
}

/** One line for each; a team that cannot be read, or says no, keeps nobody else from it. */
async function eachTeam(
  { federation }: Standing,
  ids: readonly string[],
  act: (team: Team) => Promise<string>,
): Promise<string> {
  const lines: string[] = []
  for (const id of ids) {
    try {
      lines.push(await act(await federation.openTeam(id)))
    } catch (error) {
      const reason = brief((error as Error).message)
      lines.push(reason.startsWith(`${id} `) ? reason : `${id}: ${reason}`)
    }
  }
  return lines.join('\n')
}

/** The id of a signal that a message asks for. */
function signalId({ ledger }: Standing, { id }: Claim, team: string, what: string): string {
  return uuidOf(JSON.stringify([id, team, what]), ledger)
}

async function control(
  standing: Standing,
  claim: Claim,
  { kind, teams, all }: LedgerCommand & { kind: ControlKind },
): Promise<string> {
  if (kind === 'launch' && all) return launch(standing, ['--all'])
  const ids = all ? await everyTeam(standing, kind) : teams
  if (ids.length === 0) return `There is no team to ${kind}.`
  return eachTeam(standing, ids, (team) => controlOne(standing, claim, team, kind))
}

/** Those for whom it means anything. */
async function everyTeam({ federation }: Standing, kind: ControlKind): Promise<string[]> {
  const ids: string[] = []
  for (const entry of federation.registry.read().teams) {
    if ((entry.status === 'archived') !== (kind === 'restore')) continue
    const { finished, paused } = (await federation.openEntry(entry)).present()
    if (kind === 'pause' && (finished || paused)) continue
    if (kind === 'resume' && !paused) continue
    ids.push(entry.domainId)
  }
  return ids
}

async function controlOne(standing: Standing, claim: Claim, team: Team, kind: ControlKind): Promise<string> {
  const { id } = team
  const isArchived = () => standing.federation.registry.entry(id).status === 'archived'
  switch (kind) {
    case 'launch':
      return launch(standing, ['--team', id])
    case 'archive':
      // again after a kill it is archived already, which is what was asked for
      if (!isArchived()) await team.archive()
      return `${id} is archived; restore takes it back`
    case 'restore':
      if (isArchived()) team.restore()
      return `${id} is back: ${team.present().state}`
    default:
      if (isArchived()) return `${id} is archived: restore it first`
      return pauseOrResume(standing, claim, team, kind)
  }
}

async function pauseOrResume(
  standing: Standing,
  claim: Claim,
  team: Team,
  kind: 'pause' | 'resume',
): Promise<string> {
  await team.step()
  const before = team.present()
  if (before.finished) return `${team.id} is ${before.state}, which is final: there is nothing to ${kind}`
  if (kind === 'pause' && before.paused) return `${team.id} is paused`
  if (kind === 'resume' && !before.paused) return `${team.id} is ${before.state}, not paused`
  const { entry } = await team.direct(kind, '', signalId(standing, claim, team.id, kind), claim.claimed)
  if (entry?.outcome === 'refused')
    return `${team.id}: ${brief(entry.refusal?.message ?? `it refused to ${kind}`)}`
  const { paused, state } = team.present()
  if (paused) return `${team.id} is paused; resume takes it back to where it was`
  return `${team.id} goes on: ${state}${team.present().finished ? '' : '; launch starts its agent'}`
}

async function tell(standing: Standing, claim: Claim, team: Team, text: string): Promise<string> {
  if (standing.federation.registry.entry(team.id).status === 'archived')
    return `${team.id} is archived: restore it first`
  const subject = subjectOf(text.replace(/\p{Cc}+/gu, (run) => (run.includes('\n') ? '\n' : ' ')))
  const almost = almostControl(subject)
  if (almost !== undefined)
    return `${team.id}: “${brief(subject)}” is almost the control word ${almost}. Nothing was sent; did you mean ${almost}? Else say it in more words.`
  const isControl = controlSubjects.includes(kebab(subject))
  const body = isControl ? '' : text
  const { entry } = await team.direct(
    subject,
    body,
    signalId(standing, claim, team.id, 'tell'),
    claim.claimed,
  )
  const { state, context } = team.present()
  if (entry === undefined) return `${team.id} has it, and takes it when it is no longer ${state}`
  if (entry.outcome === 'refused') return `${team.id}: ${brief(entry.refusal?.message ?? 'it refused that')}`
  const isMission =
    context.mission !== null && context.mission.subject === subject && context.instructions.length === 0
  return `${team.id} has it as ${isMission ? 'its mission; launch starts its agent' : 'an instruction'} (${state})`
}

async function ask(
  standing: Standing,
  claim: Claim,
  { teams, text }: LedgerCommand & { kind: 'ask' | 'tell' },
): Promise<Result> {
  const asked: Ledger['asked'][number][] = []
  const subject = subjectOf(text.replace(/\p{Cc}+/gu, (run) => (run.includes('\n') ? '\n' : ' ')))
  const { thread, claimed: at } = claim
  const lines = await eachTeam(standing, teams, async (team) => {
    const entry = standing.federation.registry.entry(team.id)
    if (entry.status === 'archived') return `${team.id} is archived: restore it first`
    const id = signalId(standing, claim, team.id, 'ask')
    await say(standing.federation, {
      from: META,
      to: team.id,
      type: 'question',
      subject,
      body: text === subject ? '' : text,
      id,
      timestamp: at,
    })
    await team.step()
    asked.push({ signal: id, team: team.id, subject, thread, at })
    if (await hasAgentAtWork(entry)) return `${team.id} is asked; its answer comes here`
    const { finished } = team.present()
    return `${team.id} is asked; no agent works there now${finished ? '' : ', launch starts it'}, and its answer comes here`
  })
  return { text: lines, asked }
}

/** Runs the launch in the background, as a person would; its refusal is the answer. */
async function launch({ federation }: Standing, selection: readonly string[]): Promise<string> {
  const args = [program('fed'), 'launch', ...selection, '--detach', '--dir', federation.root]
  const { code, stdout, stderr } = await ended(args)
  const who = selection.at(-1) as string
  const team = who === '--all' ? 'every team with work' : who
  if (code === 0) return /launching/.test(stdout) ? `${team}: launched` : brief(stdout)
  const reason = brief(stderr.replace(/^fed: /, '')).replaceAll(`${federation.root}/`, '')
  return reason.startsWith(who) ? reason : `${team}: ${reason}`
}

function ended(args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { timeout: launchMs, encoding: 'utf8' }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1
      resolve({ code, stdout, stderr: stderr.trim() || (error?.message ?? '') })
    })
  })
}
