/**
 * The library: the same code that the commands use.
 * @packageDocumentation
 */
import { openFederation as open, type Federation } from './federation/federation.ts'
import type { Offboarded } from './agents/offboarding/offboard-team.ts'
import { tellHostSdk } from './telemetry/host-sdk.ts'

export type { Federation } from './federation/federation.ts'
export { openTelemetry, type Telemetry } from './telemetry/open-telemetry.ts'
export { defineArchetype, defineHook } from './federation/hooks/authoring.ts'
export { monitor } from './apps/chat/monitored.ts'
export * from './errors/fed-error.ts'
export * from './errors/document-errors.ts'
export { NewerFormatError } from './errors/newer-format.ts'
export * from './errors/git-errors.ts'
export * from './errors/team-errors.ts'
export * from './errors/session-errors.ts'
export { DisplacedError, UnusablePlaceError } from './federation/federation-home.ts'
export type { Acceptance } from './engine/step/acceptance.ts'
export type { Handled, Refusal } from './engine/decide/lifecycle.ts'
export type { StepReport } from './engine/step/step.ts'
export type { ArchetypeDefinition, Hook } from './federation/hooks/hook-definition.ts'
export type { CycleReport } from './monitor/cycle-report.ts'
export type { FindingKind, HealthFinding } from './monitor/health-finding.ts'
export type { TeamReport } from './monitor/team-report.ts'
export type { Offboarded } from './agents/offboarding/offboard-team.ts'
export type { Config } from './protocol/config-schema.ts'
export type { Learning } from './protocol/learning.ts'
export type { Registry, RegistryEntry } from './protocol/registry-schema.ts'
export type { Acknowledgment, SignalMessage, SignalType } from './protocol/signal.ts'
export type { AgentProfile } from './agents/briefing/agent-profile.ts'
export type { SignalDraft } from './records/signals/compose.ts'
export type { FiledSignal, Mailbox } from './records/signals/mailbox.ts'
export type { HistoryEntry } from './federation/history-of-missions.ts'
export type { Team } from './federation/team.ts'
export type { TeamStatus } from './federation/team-status.ts'

/**
 * Opens the federation of a folder or of one above it. An OpenTelemetry SDK that the program has registered is
 * told of the federation's metrics and spans from now on.
 * @throws {FederationNotFoundError | ConfigValidationError}
 * @example
 * const federation = await openFederation(process.cwd())
 * await federation.send({ from: 'meta', to: 'docs', type: 'directive', subject: 'Document the storage', body: '' })
 */
export async function openFederation(dir: string = process.cwd()): Promise<Federation> {
  const federation = await open(dir)
  await tellHostSdk(federation)
  return federation
}

/**
 * Takes a team out of the federation and keeps what it left.
 * @throws {TeamNotFoundError | RefusedError} while it works; see `src/agents/offboarding/offboard-team.ts`.
 * @example
 * const { archive } = await offboard(federation, 'docs')
 */
export async function offboard(federation: Federation, id: string): Promise<Offboarded> {
  const { offboard: takeOut } = await import('./agents/offboarding/offboard-team.ts')
  return takeOut(federation, id)
}
