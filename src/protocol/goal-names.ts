import { v5 as uuidOf } from 'uuid'

/** Namespace of the ids of signals by which a goal moves. */
const NAMESPACE = '7a6b6f2e-21c7-4f0b-8c39-5d7f0f6d3b11'

/** Files that a plan may lie in, in a coordinator's workspace; the first that is there counts. */
export const planFiles = ['plan.yaml', 'plan.yml', 'plan.json'] as const

/** The largest plan that is read, in bytes. */
export const largestPlanBytes = 1_048_576

/** Id of the team that does a task of a coordinator. */
export function memberOf(coordinator: string, task: string): string {
  return `${coordinator}-${task}`
}

/** The task that a member does; undefined for a team that has no name of the coordinator's. */
export function taskOf(coordinator: string, member: string): string | undefined {
  return member.startsWith(`${coordinator}-`) ? member.slice(coordinator.length + 1) : undefined
}

/**
 * Id of the mission of an attempt at a task: whoever gives it gives the same.
 * @param goal id of the signal that gave the coordinator its mission.
 */
export function missionIdOf(goal: string, task: string, attempt: number): string {
  return uuidOf(`${goal}/${task}/${attempt}`, NAMESPACE)
}

/**
 * Id of a signal that a coordinator gets or sends because of where it stands.
 * @param version of its lifecycle.
 */
export function goalSignalId(coordinator: string, version: number, what: string): string {
  return uuidOf(`${coordinator}/${version}/${what}`, NAMESPACE)
}
