/**
 * The library: the same code that the commands use.
 * @packageDocumentation
 */
export { Federation, openFederation } from './federation.ts'
export { openTelemetry, type Telemetry } from './telemetry/telemetry.ts'
export { defineArchetype, defineHook } from './hooks/authoring.ts'
export * from './errors.ts'
export type { Acceptance } from './actors/acceptance.ts'
export type { Handled, Refusal } from './actors/lifecycle.ts'
export type { StepReport } from './actors/step.ts'
export type { ArchetypeDefinition, Hook } from './hooks/definition.ts'
export type { CycleReport } from './monitor/cycle.ts'
export type { FindingKind, HealthFinding } from './monitor/health.ts'
export type { TeamReport } from './monitor/team-report.ts'
export type { Config } from './protocol/config.ts'
export type { Learning } from './protocol/learning.ts'
export type { Registry, RegistryEntry } from './protocol/registry.ts'
export type { Acknowledgment, SignalMessage, SignalType } from './protocol/signal.ts'
export type { AgentProfile } from './sessions/agent-profile.ts'
export type { SignalDraft } from './signals/compose.ts'
export type { FiledSignal, Mailbox } from './signals/mailbox.ts'
export type { HistoryEntry, Team, TeamStatus } from './teams/team.ts'
export type { TeamHandle } from './teams/team-handle.ts'
