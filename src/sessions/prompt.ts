import type { TeamStatus } from '../teams/team.ts'
import type { Archetype } from '../teams/archetypes.ts'

export interface PromptFacts {
  readonly status: TeamStatus
  readonly archetype: Archetype
  readonly playbook: string
  /** Whether an earlier session of this mission ended without finishing. */
  readonly continues: boolean
}

/** What an agent is told when its session begins. */
export function launchPrompt({ status, archetype, playbook, continues }: PromptFacts): string {
  const { team, state, mission, instructions, workspace, deliverable } = status
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
