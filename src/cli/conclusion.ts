import type { DeliverableFigures } from '../../machines/team-event.ts'
import { EMBEDDED_AGENT } from '../protocol/config.ts'
import { installedAgents } from '../sessions/known-agents.ts'
import type { Team, TeamStatus } from '../teams/team.ts'
import type { CommonOptions } from './command.ts'
import { note } from './output.ts'

export interface Conclusion {
  readonly team: string
  readonly state: string
  /** Absolute path, when the mission ended with one. */
  readonly deliverable?: string
  readonly figures?: DeliverableFigures
  readonly reason?: string
  readonly exitCode: 0 | 1 | 5
}

/** How a launch ended: what people read, and what scripts do. */
export function conclude(team: Team, status: TeamStatus): Conclusion & { readonly text: string } {
  const { state, failure } = status
  const base = { team: team.id, state }
  if (state === 'failed') {
    const reason = failure?.reason ?? 'no reason was given'
    return { ...base, reason, exitCode: 1, text: `${team.id} failed: ${reason}` }
  }
  if (!status.finished) {
    return {
      ...base,
      exitCode: 5,
      text: `${team.id} is ${state}; 'fed resume ${team.id}' and 'fed launch --team ${team.id}' continue it`,
    }
  }
  const figures = (team.present().context as { figures?: DeliverableFigures | null }).figures ?? undefined
  if (figures === undefined) return { ...base, exitCode: 0, text: `${team.id} is ${state}` }
  const deliverable = team.deliverableFile
  return { ...base, deliverable, figures, exitCode: 0, text: `${deliverable}\n${describeFigures(figures)}` }
}

export function describeFigures({
  sizeBytes,
  words,
  sections,
  codeExamples,
  diagrams,
}: DeliverableFigures): string {
  return `${sizeBytes} bytes, ${words} words, ${sections} sections, ${codeExamples} code examples, ${diagrams} diagrams`
}

/** Names agents that could work instead of the embedded one, when nobody chose. */
export function hintAgents(options: CommonOptions, configured: string, chosen: string | undefined): void {
  if (chosen !== undefined || configured !== EMBEDDED_AGENT) return
  const found = installedAgents()
  if (found.length === 0) return
  note(
    options,
    `working with the embedded agent, which has no language model; also on the PATH: ${found.join(', ')} (use one with --agent ${found[0]})`,
  )
}
