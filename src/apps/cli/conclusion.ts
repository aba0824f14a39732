import { counted } from '../../errors/printable.ts'
import type { DeliverableFigures } from '../../../machines/team-event.ts'
import { EMBEDDED_AGENT } from '../../protocol/config-schema.ts'
import { launchAgain } from '../../agents/sessions/launch-again.ts'
import { installedAgents } from '../../agents/sessions/installed-agents.ts'
import type { Team } from '../../federation/team.ts'
import type { TeamStatus } from '../../federation/team-status.ts'
import type { CommonOptions } from './declare-command.ts'
import { note } from './output.ts'
import { oneLine } from './plain-text.ts'

/** How a launch ended, as scripts get it. */
export interface Conclusion {
  readonly team: string
  readonly state: string
  /** Absolute path, when the mission ended with one. */
  readonly deliverable?: string
  readonly figures?: DeliverableFigures
  /** Why the mission did not end, or ended badly; with exit code 0, for whom it waits. */
  readonly reason?: string
  readonly exitCode: number
}

/**
 * How a launch ended that came to an end by itself.
 * @param agent the one that was chosen for it.
 */
export function conclude(
  team: Team,
  { state, failure, finished, status, waits, agent: usual }: TeamStatus,
  agent: string | undefined,
): Conclusion {
  const base = { team: team.id, state }
  if (state === 'failed')
    return { ...base, reason: `failed: ${failure?.reason ?? 'no reason was given'}`, exitCode: 1 }
  if (waits) {
    return {
      ...base,
      reason: `is ${state} and waits for somebody else; 'fed status ${team.id}' shows what it accepts`,
      exitCode: 0,
    }
  }
  if (!finished) {
    const first = status === 'archived' ? `fed restore ${team.id}', 'fed resume` : 'fed resume'
    return {
      ...base,
      reason: `is ${state}, its agent was stopped; '${first} ${team.id}' and '${launchAgain(team.id, usual, agent)}' continue it`,
      exitCode: 5,
    }
  }
  const figures = (team.present().context as { figures?: DeliverableFigures | null }).figures ?? undefined
  return figures === undefined
    ? { ...base, exitCode: 0 }
    : { ...base, deliverable: team.deliverableFile, figures, exitCode: 0 }
}

/** The same for people. */
export function describeConclusion({ team, state, reason, deliverable, figures }: Conclusion): string {
  if (reason !== undefined) return `${team} ${oneLine(reason)}`
  if (deliverable === undefined || figures === undefined) return `${team} is ${state}`
  return `${deliverable}\n${describeFigures(figures)}`
}

export function describeFigures({
  sizeBytes,
  words,
  sections,
  codeExamples,
  diagrams,
}: DeliverableFigures): string {
  return [
    counted(sizeBytes, 'byte'),
    counted(words, 'word'),
    counted(sections, 'section'),
    counted(codeExamples, 'code example'),
    counted(diagrams, 'diagram'),
  ].join(', ')
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
