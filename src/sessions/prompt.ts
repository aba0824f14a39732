import type { FiledSignal } from '../signals/mailbox.ts'
import type { TeamStatus } from '../teams/team.ts'
import type { Archetype } from '../teams/archetypes.ts'

export interface PromptFacts {
  readonly status: TeamStatus
  /** What the agent has to read and acknowledge. */
  readonly mail: readonly FiledSignal[]
  readonly archetype: Archetype
  readonly playbook: string
  /** Whether an earlier session of this mission ended without finishing. */
  readonly continues: boolean
}

/** Of a longer message the prompt holds the beginning, in characters. */
const shownBody = 2000

function letter(team: string, { id, type, from, subject, body }: FiledSignal): string {
  const reference = id.slice(0, 8)
  const head = `## ${reference}: ${type} from ${from}: ${subject}`
  const text = body.trim()
  if (text === '') return head
  if (text.length <= shownBody) return `${head}\n\n${text}`
  return `${head}\n\n${text.slice(0, shownBody)}…\n\n(cut here; \`fed read ${team} ${reference}\` shows all of it)`
}

function mailSection(team: string, mail: readonly FiledSignal[]): string[] {
  if (mail.length === 0) return []
  const how = `What others wrote to the team and nobody has read yet. \`fed reply ${team} <id> --body "<answer>"\` answers and acknowledges a message; \`fed ack ${team} <id>\` acknowledges one that needs no answer.`
  return [`# Mail\n\n${how}`, ...mail.map((signal) => letter(team, signal))]
}

/** What an agent is told when its session begins. */
export function launchPrompt({ status, mail, archetype, playbook, continues }: PromptFacts): string {
  const { team, state, mission, instructions, question, workspace, deliverable } = status
  const milestones = archetype.milestones.map(
    (milestone, index) =>
      `${index + 1}. ${milestone.state}: ${milestone.task}, then \`fed report ${milestone.subject}\``,
  )
  const accepted = status.accepts.map(({ event, missing }) =>
    missing.length === 0 ? `- ${event}` : `- ${event}, which needs that ${missing.join(', and that ')}`,
  )
  return [
    `You are the agent of team '${team}' (${archetype.id}) in a federation of agent teams.`,
    continues
      ? `An earlier session of this mission ended before the mission did. Go on where it stopped: the team is in state '${state}'.`
      : `The team is in state '${state}'.`,
    `# Mission\n\n${mission?.body.trim() || mission?.subject || ''}`,
    ...(instructions.length === 0
      ? []
      : [`# Instructions\n\n${instructions.map(({ body, subject }) => `- ${body || subject}`).join('\n')}`]),
    ...(question === null
      ? []
      : [`# Question\n\n${question.from} asks: ${question.subject}\n\n${question.body.trim()}`.trimEnd()]),
    ...mailSection(team, mail),
    `# How you work\n\nYou move the team with the \`fed\` command on your PATH; a milestone that is not true yet is refused, with the reason.\n\n${milestones.join('\n')}`,
    `If the mission cannot be done, say why: \`fed alert information-missing --body "<reason>"\` (or source-inaccessible, structure-undetermined).`,
    `Accepted now:\n\n${accepted.join('\n')}`,
    ...(archetype.id === 'deliverable'
      ? [
          `Study the codebase read-only and write only in ${workspace}. The deliverable is ${workspace}/${deliverable}.`,
        ]
      : []),
    `Skills to read first: ${workspace}/.fed/skills/${playbook}.md and the other files beside it. Mail: \`fed inbox\`.`,
  ].join('\n\n')
}
