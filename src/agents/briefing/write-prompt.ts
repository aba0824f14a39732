import type { CheckFacts } from '../../../machines/team-event.ts'
import { onlyReads } from '../../federation/lead-agent.ts'
import type { TeamStatus } from '../../federation/team-status.ts'
import { isJsonFile } from '../../records/deliverable/json-file.ts'
import type { FiledSignal } from '../../records/signals/mailbox.ts'
import { goalSection, peersSection } from './goal-sections.ts'
import { earlierSection, progressSection } from './earlier-work.ts'
import { dataRule, named, quoted } from './outside-text.ts'
import type { PromptFacts } from './prompt-facts.ts'
import {
  type OriginOf,
  directiveText,
  instructionSection,
  mailSection,
  questionSection,
} from './words-of-others.ts'

/** What an agent is told when its session begins. */
export function launchPrompt(facts: PromptFacts): string {
  return [
    ...opening(facts),
    ...missionSections(facts),
    ...goalSection(facts.status.team, facts.goal),
    ...peersSection(facts.peers),
    ...mailSection(facts.status.team, facts.mail, facts.originOf),
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

function missionSections({ status, originOf }: PromptFacts): string[] {
  const { team, mission, instructions, question } = status
  return [
    `# Mission\n\n${mission === null ? '' : directiveText(team, mission, originOf).text}`,
    ...instructionSection(team, instructions, originOf),
    ...questionSection(team, question, originOf),
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
  originOf: OriginOf,
): string {
  const { team, state, instructions, question } = status
  return [
    `News for team '${team}', which is in state '${state}'.`,
    dataRule,
    ...instructionSection(team, instructions, originOf),
    ...questionSection(team, question, originOf),
    ...mailSection(team, mail, originOf),
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
