import { controlSubjects } from '../../../machines/guards.ts'
import { kebab } from '../../protocol/event-name.ts'
import { META } from '../../protocol/team-id.ts'
import { almostControl } from '../../federation/control-word.ts'
import { say } from '../../federation/send-checked.ts'
import { noteChatAuthor } from '../../federation/chat-author.ts'
import { subjectOf } from '../../federation/mission.ts'
import type { Team } from '../../federation/team.ts'
import { control } from './control-teams.ts'
import { guessAt } from './language/understand.ts'
import type { Order } from './language/chat-command.ts'
import type { Claim, Ledger, LedgerCommand } from './chat-ledger.ts'
import { signalId } from './signal-id.ts'
import { costText, inboxText, needsText, statusText, whyText } from './team-answers.ts'
import { brief, clipped, hasAgentAtWork } from './team-lines.ts'
import { eachTeam, meantBy, type Meant, type Standing } from './whom.ts'

/** What came of a command. */
export interface Result {
  readonly text: string
  /** Questions to teams whose answers are still to be told. */
  readonly asked?: Ledger['asked']
  /** The teams that a later "them" means; empty after a command about all, undefined after one about none. */
  readonly about?: readonly string[]
}

type Carried = Claim & { readonly command: Exclude<LedgerCommand, { kind: 'free' }> }

/**
 * Carries out a command that needs no model. Doing it again, because a process was killed before it could note
 * that it did, sends no second signal: their ids and times come from the message.
 */
export async function carryOut(standing: Standing, claim: Carried): Promise<Result> {
  const { command } = claim
  switch (command.kind) {
    case 'inbox':
      return { text: inboxText(standing) }
    case 'help':
      return { text: helpText(standing) }
    case 'thanks':
      return { text: 'Any time.' }
    case 'unknown-team':
      return { text: unknownTeam(standing, command) }
    case 'incomplete':
      return { text: incomplete(standing, command.verb) }
    case 'too-long':
      return { text: 'That is too long for a command; put it into a file, and name the file.' }
    case 'several':
      return inOrder(standing, claim, command.orders)
    default: {
      const meant = (await meantBy(standing, command.whom)) ?? allWhere(standing, command)
      if (meant === undefined) return { text: incomplete(standing, command.kind) }
      const result = await doneFor(standing, claim, command, meant)
      return { ...result, about: isOfAll(command, meant) ? [] : meant.teams }
    }
  }
}

type AboutTeams = Extract<Carried['command'], { whom: unknown }>

/**
 * All teams, for a question whose "it" or "them" fits no teams named before ("how much has it cost?");
 * undefined for anything else, such as an order.
 */
function allWhere({ federation }: Standing, { kind, whom }: AboutTeams): Meant | undefined {
  const isQuestion = kind === 'status' || kind === 'cost' || kind === 'needs'
  if (!isQuestion || whom.of !== 'last' || whom.number === 'two') return undefined
  return { teams: federation.registry.read().teams.map(({ domainId }) => domainId), isEverybody: true }
}

/** Whether a command was about all teams: then a later "them" means nobody. */
function isOfAll({ whom }: AboutTeams, { isEverybody }: Meant): boolean {
  const isWhole = whom.of === 'all' && whom.state === undefined && whom.except === undefined
  return isWhole || (whom.of === 'last' && isEverybody)
}

async function doneFor(
  standing: Standing,
  claim: Carried,
  command: AboutTeams,
  meant: Meant,
): Promise<Result> {
  const isSent = command.kind === 'tell' || command.kind === 'ask'
  if (isSent && meant.teams.length === 0) return { text: `There is no team to ${command.kind}.` }
  switch (command.kind) {
    case 'status':
      return { text: await statusText(standing, meant) }
    case 'why':
      return { text: await whyText(standing, meant) }
    case 'cost':
      return { text: await costText(standing, meant) }
    case 'needs':
      return { text: await needsText(standing, meant) }
    case 'tell':
      return {
        text: await eachTeam(standing, meant.teams, (team) => tell(standing, claim, team, command.text)),
      }
    case 'ask':
      return ask(standing, claim, command.text, meant)
    default:
      return { text: await control(standing, claim, command.kind, meant) }
  }
}

/** Carries out one order after the other; "it" in a later one means the teams of the one before. */
async function inOrder(standing: Standing, claim: Carried, orders: readonly Order[]): Promise<Result> {
  const lines: string[] = []
  let { last } = standing
  for (const order of orders) {
    const now = { ...standing, last }
    const meant = await meantBy(now, order.whom)
    if (meant === undefined) {
      lines.push(incomplete(standing, order.kind))
      continue
    }
    lines.push(await control(now, claim, order.kind, meant))
    last = meant.teams
  }
  return { text: lines.join('\n'), ...(last === undefined ? {} : { about: last }) }
}

/** The answer to a message that needs a model, where there is none: what code made of it; nothing is done. */
export function withoutModel(standing: Standing, text: string): string {
  const { meant, isNegated } = guessAt(text, idsOf(standing))
  const quoted = meant.map((one) => `“${one}”`).join(' or ')
  if (isNegated && meant.length > 0)
    return `I understood ${quoted} and a “not”, so I did nothing. Say what is to be done, without a “not”.`
  if (meant.length > 1) return `Did you mean ${quoted}? Nothing was done: say which.`
  if (meant.length === 1)
    return `Did you mean ${quoted}? Nothing was done, because I understood no more than that.`
  return `I work without a language model here, so I did nothing. ${helpText(standing)}`
}

function idsOf({ federation }: Standing): string[] {
  return federation.registry.read().teams.map(({ domainId }) => domainId)
}

/** The commands that people can give, without a mention: that would call the bridge again. */
function helpText({ name }: Pick<Standing, 'name'>): string {
  return [
    `Say one of these behind an @ and ${name}:`,
    '· status, or status docs: where the teams stand; who is blocked, why is docs paused, what has it cost',
    '· pause docs, resume docs, launch docs, archive docs, restore docs; also "docs and api", "all except api", "them"',
    '· tell docs <what to do>: a mission, or an instruction for the one under way',
    '· ask docs <question>: its answer comes here',
    '· inbox, or what needs me: what waits for somebody',
  ].join('\n')
}

function unknownTeam(
  standing: Standing,
  { given, nearest }: LedgerCommand & { kind: 'unknown-team' },
): string {
  const ids = idsOf(standing)
  const none = `There is no team ${brief(given, 64)}`
  if (ids.length === 0) return `${none}, and no other yet. Nothing was done.`
  const meant = nearest === null ? '' : `; the nearest is ${nearest}`
  return `${none}${meant}. Nothing was done. Teams: ${clipped(ids).join(', ')}.`
}

function incomplete(standing: Standing, verb: string): string {
  const ids = idsOf(standing)
  if (ids.length === 0) return `There is no team yet to ${verb}.`
  const what =
    verb === 'tell' || verb === 'ask'
      ? `whom, and what? For example: ${verb} ${ids[0]} …`
      : `whom? ${clipped(ids).join(', ')}, or all`
  return `${verb[0]?.toUpperCase()}${verb.slice(1)} ${what}`
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
  const id = signalId(standing, claim, team.id, 'tell')
  noteChatAuthor(standing.federation.root, id, claim.sender)
  const { entry } = await team.direct(subject, body, id, claim.claimed)
  const { state, context } = team.present()
  if (entry === undefined) return `${team.id} has it, and takes it when it is no longer ${state}`
  if (entry.outcome === 'refused') return `${team.id}: ${brief(entry.refusal?.message ?? 'it refused that')}`
  const isMission =
    context.mission !== null && context.mission.subject === subject && context.instructions.length === 0
  return `${team.id} has it as ${isMission ? 'its mission; launch starts its agent' : 'an instruction'} (${state})`
}

async function ask(standing: Standing, claim: Claim, text: string, { teams }: Meant): Promise<Result> {
  const asked: Ledger['asked'][number][] = []
  const subject = subjectOf(text.replace(/\p{Cc}+/gu, (run) => (run.includes('\n') ? '\n' : ' ')))
  const { thread, claimed: at } = claim
  const lines = await eachTeam(standing, teams, async (team) => {
    const entry = standing.federation.registry.entry(team.id)
    if (entry.status === 'archived') return `${team.id} is archived: restore it first`
    const id = signalId(standing, claim, team.id, 'ask')
    noteChatAuthor(standing.federation.root, id, claim.sender)
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
