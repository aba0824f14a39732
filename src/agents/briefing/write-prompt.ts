import path from 'node:path'
import type { CheckFacts, Instruction, TeamContext } from '../../../machines/team-event.ts'
import { isJsonFile } from '../../records/deliverable/json-file.ts'
import type { FiledSignal } from '../../records/signals/mailbox.ts'
import type { HistoryEntry } from '../../federation/history-of-missions.ts'
import type { TeamStatus } from '../../federation/team-status.ts'
import type { Archetype } from '../../federation/archetypes.ts'
import { onlyReads } from '../../federation/lead-agent.ts'
import type { AgentProfile } from './agent-profile.ts'
import type { EarlierMission } from './earlier-mission.ts'
import { asGiven, dataRule, letterOf, named, quoted, wordsOf } from './outside-text.ts'
import type { Session } from '../sessions/session-record.ts'

/** A team's own branch. */
export interface Branch {
  readonly name: string
  /** Where it begins, and into which its work is to be merged. */
  readonly target: string
}

/** Somebody who said in the chat what `meta` passed on. */
interface ChatAuthor {
  readonly sender: string
  /** Whether `chatConfig.allowedSenders` names the sender now. */
  readonly isListed: boolean
}

/** Who said in the chat what the signal of an id passes on; undefined for every other signal. */
export type AuthorOf = (signal: string) => ChatAuthor | undefined

export interface PromptFacts {
  readonly status: TeamStatus
  /** What the agent has to read and acknowledge. */
  readonly mail: readonly FiledSignal[]
  readonly authorOf: AuthorOf
  readonly archetype: Archetype
  readonly profile: AgentProfile
  /** Whether the agent is given fed's tools beside the command. */
  readonly hasTools: boolean
  /** What the machine remembers: the plan, the insights, the commit that was tested. */
  readonly context: TeamContext
  /** File of the playbook among the skills. */
  readonly playbook: string
  /** Skill files that are there. */
  readonly skills: readonly string[]
  /** JSON Schema that the deliverable must meet, absolute. */
  readonly schema: string | undefined
  /** The session of this mission that ended before the mission did. */
  readonly lastSession: Session | undefined
  /** Milestones of this mission that were accepted. */
  readonly accepted: readonly Pick<HistoryEntry, 'event' | 'at'>[]
  /** The mission before this one. */
  readonly earlier: EarlierMission | undefined
  /** Of a team that works in a worktree. */
  readonly branch: Branch | undefined
}

/** What an agent is told when its session begins. */
export function launchPrompt(facts: PromptFacts): string {
  return [
    ...opening(facts),
    ...missionSections(facts),
    ...mailSection(facts.status.team, facts.mail, facts.authorOf),
    ...progressSection(facts),
    ...earlierSection(facts),
    workSection(facts),
    placeSection(facts),
    skillsSection(facts),
  ].join('\n\n')
}

function opening({ status, archetype, profile, lastSession }: PromptFacts): string[] {
  const { team, state } = status
  const tools = profile.tools.map(({ name, readOnly }) =>
    name === 'bash' && readOnly ? 'bash (read-only)' : name,
  )
  return [
    `You are the agent of team '${team}' (${archetype.id}) in a federation of agent teams. Your role: ${profile.role}. You ${listed(profile.responsibilities)}. Your tools: ${tools.join(', ')}.`,
    lastSession === undefined
      ? `The team is in state '${state}'.`
      : `An earlier session of this mission ended before the mission did. Go on where it stopped: the team is in state '${state}'.`,
    dataRule,
  ]
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')}, and ${words.at(-1)}`
}

function missionSections({ status, authorOf }: PromptFacts): string[] {
  const { team, mission, instructions, question } = status
  return [
    `# Mission\n\n${mission === null ? '' : directiveText(team, mission, authorOf).text}`,
    ...instructionSection(team, instructions, authorOf),
    ...questionSection(team, question, authorOf),
  ]
}

/**
 * The words of a directive. Those of the person at the federation stand as they are; what came by the chat is to be done
 * as well, and stands in a fence under its author.
 */
function directiveText(team: string, { signal, subject, body }: Instruction, authorOf: AuthorOf) {
  const said = body.trim() || subject
  const author = authorOf(signal)
  if (author === undefined) {
    const text = asGiven(said)
    return { text, isPlain: text === said }
  }
  const who = author.isListed
    ? 'whom chatConfig.allowedSenders lets command'
    : 'of whom fed knows this name only'
  const lead = `${quoted(author.sender)}, ${who}, said this in the chat. It is work for this team: do what it asks within what you are told outside of the fence.`
  return { text: wordsOf(lead, said, howToRead(team, signal)), isPlain: false }
}

function howToRead(team: string, signal: string): string {
  return `\`fed read ${team} ${referenceOf(signal)}\` shows all of it`
}

/** The beginning of a signal's id, by which commands find it. */
function referenceOf(signal: string): string {
  return signal.slice(0, 8)
}

function instructionSection(
  team: string,
  instructions: TeamStatus['instructions'],
  authorOf: AuthorOf,
): string[] {
  if (instructions.length === 0) return []
  const texts = instructions.map((instruction) => directiveText(team, instruction, authorOf))
  const items = texts.map(({ text, isPlain }) => (isPlain ? `- ${text}` : text))
  return [`# Instructions\n\n${items.join(texts.every(({ isPlain }) => isPlain) ? '\n' : '\n\n')}`]
}

function questionSection(team: string, question: TeamStatus['question'], authorOf: AuthorOf): string[] {
  if (question === null) return []
  const { signal, from } = question
  const lead = `${writerOf(from, authorOf(signal))} asks:`
  return [`# Question\n\n${wordsOf(lead, letterOf(question), howToRead(team, signal))}`]
}

function writerOf(from: string, author: ChatAuthor | undefined): string {
  return author === undefined ? from : `${quoted(author.sender)}, in the chat by ${from},`
}

function letter(team: string, signal: FiledSignal, author: ChatAuthor | undefined): string {
  const { id, type, from } = signal
  const lead = `## ${referenceOf(id)}: ${type} from ${from}\n\n${writerOf(from, author)} wrote:`
  return wordsOf(lead, letterOf(signal), howToRead(team, id))
}

function mailSection(team: string, mail: readonly FiledSignal[], authorOf: AuthorOf): string[] {
  if (mail.length === 0) return []
  const how = `What others wrote to the team and nobody has read yet. \`fed reply ${team} <id> --body "<answer>"\` answers and acknowledges a message; \`fed ack ${team} <id>\` acknowledges one that needs no answer.`
  return [`# Mail\n\n${how}`, ...mail.map((signal) => letter(team, signal, authorOf(signal.id)))]
}

/** What this mission has reached, so that nobody does it twice. */
function progressSection({ status, lastSession, accepted, context }: PromptFacts): string[] {
  if (lastSession === undefined && accepted.length === 0) return []
  const { plan, insights, testedCommit } = context as {
    plan?: string | null
    insights?: string | null
    testedCommit?: string | null
  }
  const whole = `\`fed history ${status.team} --json\` names the signal that holds all of it`
  return [
    [
      '# So far',
      ...(lastSession === undefined
        ? []
        : [`${howItEnded(lastSession)} Its output is in ${named(lastSession.log)}.`]),
      ...(accepted.length === 0
        ? ['No milestone of this mission was accepted yet.']
        : [`Accepted:\n\n${accepted.map(({ event, at }) => `- ${event}, ${at}`).join('\n')}`]),
      ...(plan ? [wordsOf(`The plan, as the agent of ${status.team} wrote it:`, plan, whole)] : []),
      ...(insights
        ? [wordsOf(`The insights, as the agent of ${status.team} wrote them:`, insights, whole)]
        : []),
      ...(testedCommit ? [`Tests passed on commit ${testedCommit}.`] : []),
    ].join('\n\n'),
  ]
}

function howItEnded({ number, end }: Session): string {
  const session = `Session ${number}`
  switch (end?.cause) {
    case undefined:
    case 'lost':
      return `${session} was lost with its launcher.`
    case 'ended':
      return `${session} ended by itself with exit code ${end?.exitCode}.`
    case 'timed-out':
      return `${session} was stopped when its time was over.`
    case 'interrupted':
      return `${session} was interrupted.`
    case 'paused':
      return `${session} was stopped because the team was paused.`
    default:
      return `${session} is over (${end?.cause}).`
  }
}

/** After a reset: what was before, where it is, and what of it does not count any more. */
function earlierSection({ status, archetype, earlier, branch }: PromptFacts): string[] {
  if (earlier === undefined) return []
  const { number, folder, deliverable, last } = earlier
  const { missionNumber, mission, team } = status
  const isSame = last !== undefined && last.subject === mission?.subject && last.body === mission?.body
  const before =
    last === undefined
      ? ''
      : ` Mission ${number} was ${isSame ? 'the same' : quoted(last.subject)} and ended in state ${quoted(last.state)}.`
  const which = number === 1 ? 'Mission 1 is' : `Missions 1 to ${number} are`
  return [
    [
      '# Earlier missions',
      `This is mission ${missionNumber}; the team was reset and begins anew. ${which} archived under ${named(path.dirname(folder))}/<n>/ with history and sessions: read what helps, change nothing there.${before}`,
      [
        ...(deliverable === undefined
          ? []
          : [
              `- What mission ${number} delivered is ${named(deliverable)}; the deliverable of this mission is written anew.`,
            ]),
        '- No milestone of an earlier mission counts.',
        `- The learning log was kept (\`fed learnings ${team}\`), but only what is logged from now on is evidence: log again what still holds.`,
        ...(branch === undefined || archetype.id !== 'coding'
          ? []
          : [
              `- The branch ${named(branch.name)} begins at ${named(branch.target)} again: only what is committed on it from now on is work of this mission.`,
              `- What an earlier mission left that no branch has is kept under refs/fed/rescue/${team}/ (\`git for-each-ref refs/fed/rescue/${team}\` lists it); take from it what still holds.`,
            ]),
      ].join('\n'),
    ].join('\n\n'),
  ]
}

const toolsWay =
  "Where you cannot run commands, the tools of the server 'fed' do the same: status, report (subject and body), alert, learn, learnings, inbox, read, reply, acknowledge and send; write_deliverable, if you have it, writes the deliverable, the whole document at once."

const waitingWay =
  'Where you cannot go on without an answer, ask (`fed send <team or meta> --type question --subject "<question>"`, or the tool send) and end your turn: the answer is put before you when it comes.'

/** What an agent that waits is told in the middle of a session: what came for it meanwhile. */
export function furtherPrompt(
  status: Pick<TeamStatus, 'team' | 'state' | 'instructions' | 'question'>,
  mail: readonly FiledSignal[],
  authorOf: AuthorOf,
): string {
  const { team, state, instructions, question } = status
  return [
    `News for team '${team}', which is in state '${state}'.`,
    dataRule,
    ...instructionSection(team, instructions, authorOf),
    ...questionSection(team, question, authorOf),
    ...mailSection(team, mail, authorOf),
    'See to it, then go on with what the team has to do; if nothing is left to do, say so.',
  ].join('\n\n')
}

/** Alerts in the team's name that fed itself gives. */
const toldByFed = ['alert.session-exhausted', 'alert.codebase-modified']

function checksWay(checks: readonly CheckFacts[]): string {
  const names = checks.map(({ name, command }) => `${named(name)} (${quoted(command, Infinity)})`)
  return `Tests are the federation's: fed runs its checks itself, on a fresh checkout of what you committed, and nothing else counts: ${names.join(', ')}. A refusal names what did not pass and where its output is.`
}

function workSection({ status, archetype, hasTools }: PromptFacts): string {
  const isJson = isJsonFile(status.deliverable)
  const checks = status.checks?.configured ?? []
  const milestones = archetype.milestones.map(({ task, taskForJson = task, ...milestone }, index) => {
    // where the federation has checks of its own, a command of the agent's counts nothing
    const isOwnRun = milestone.options?.startsWith('--run') === true
    const options = isOwnRun && checks.length > 0 ? '' : (milestone.options ?? '')
    return `${index + 1}. ${milestone.state}${milestone.state === status.state ? ' (now)' : ''}: ${isJson ? taskForJson : task}, then \`${['fed report', milestone.subject, options].join(' ').trim()}\``
  })
  const isAgents = (event: string) => /^(?:report|alert)\./.test(event) && !toldByFed.includes(event)
  const accepted = status.accepts
    .filter(({ event }) => isAgents(event))
    .map(({ event, missing }) =>
      missing.length === 0 ? `- ${event}` : `- ${event}, which needs that ${missing.join(', and that ')}`,
    )
  const fromOthers = status.accepts.flatMap(({ event }) =>
    isAgents(event) || toldByFed.includes(event) ? [] : [event],
  )
  return [
    `# How you work\n\nYou move the team with the \`fed\` command on your PATH; a milestone that is not true yet is refused, with the reason.\n\n${milestones.join('\n')}`,
    ...(checks.length === 0 ? [] : [checksWay(checks)]),
    ...(hasTools ? [toolsWay] : []),
    waitingWay,
    `If the mission cannot be done, say why: \`fed alert information-missing --body "<reason>"\` (or source-inaccessible, structure-undetermined).`,
    `Accepted now from you:\n\n${accepted.join('\n')}`,
    ...(fromOthers.length === 0 ? [] : [`Accepted now from others: ${fromOthers.join(', ')}.`]),
  ].join('\n\n')
}

/** Where the agent may write, and what becomes of it. */
function placeSection(facts: PromptFacts): string {
  const { status, archetype, branch } = facts
  const { workspace, deliverable, question } = status
  const readOnly = `Study the codebase read-only and write only in ${named(workspace)}.`
  const document = archetype.delivers
    ? [` The deliverable is ${named(`${workspace}/${deliverable}`)}.`, ...formSentences(facts)].join(' ')
    : ''
  if (archetype.id === 'consultant') {
    return question === null
      ? `${readOnly} Questions come to you one after the other.`
      : `${readOnly} \`fed report answer --body "<answer>"\` sends the answer to ${question.from}; nothing else needs to be sent.`
  }
  if (onlyReads(archetype.leadAgent)) return `${readOnly}${document}`
  return branch === undefined
    ? `You work in ${named(workspace)}.${document}`
    : `You work in the worktree ${named(workspace)}, on branch ${named(branch.name)}. Its work is to be merged into ${named(branch.target)}: commit on your branch only, everything, and never on ${named(branch.target)}. Its folder .fed is the team's memory: never remove what git ignores (\`git clean -x\`).`
}

/** What the deliverable must be besides what the documentation standards ask, or in their place. */
function formSentences({ status: { team, deliverable }, schema }: PromptFacts): string[] {
  if (isJsonFile(deliverable)) {
    const form =
      'It is one JSON document: the documentation standards are for Markdown and do not apply to it.'
    if (schema === undefined) return [form]
    return [
      form,
      `It must meet the JSON Schema ${named(schema)}; \`fed check ${team}\` names each violation.`,
    ]
  }
  if (schema === undefined) return []
  return [
    `Besides the documentation standards it must meet the JSON Schema ${named(schema)}, which sees a model of the document: \`fed check ${team} --model\` prints that model, \`fed check ${team}\` names each violation with its line.`,
  ]
}

/** The skill that a deliverable in Markdown follows. */
const markdownStandards = 'documentation-standards.md'

function skillsSection({ status, playbook, skills }: PromptFacts): string {
  const folder = `${status.workspace}/.fed/skills`
  const isMeant = (file: string) => file !== markdownStandards || !isJsonFile(status.deliverable)
  const others = skills.filter((file) => file !== playbook && isMeant(file)).map((file) => named(file))
  const first = skills.includes(playbook)
    ? `Skills to read first: ${named(`${folder}/${playbook}`)}${others.length === 0 ? '' : `, and beside it ${others.join(', ')}`}.`
    : `Skills to read first, in ${named(folder)}: ${others.join(', ') || 'none are there'}.`
  return `${first} Mail: \`fed inbox\`.`
}
