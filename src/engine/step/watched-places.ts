import path from 'node:path'
import { repositoryRoot } from '../../platform/git/git.ts'
import { federationLayout } from '../../protocol/folder-layout.ts'
import type { Difference } from '../../platform/git/fingerprint.ts'

/** Where an agent that only reads works. */
export interface ReaderPlace {
  /** The federation's root, absolute. */
  readonly root: string
  /** The team's workspace, absolute. */
  readonly workspace: string
  /** File of its result, below the workspace. */
  readonly deliverable: string
}

/** A work tree that an agent which only reads leaves as it is. */
export interface WatchedPlace {
  readonly name: 'codebase' | 'worktree'
  /** Top folder of the work tree. */
  readonly root: string
  /** Files below it that are the agent's to write. */
  readonly own: readonly string[]
}

/**
 * What is watched while an agent works that only reads: the codebase, and the team's own worktree where it works in
 * one. Its `.fed` is not looked at, because git ignores it.
 * @throws {FedError} when git knows no work tree there.
 */
export function watchedPlaces({ root, workspace, deliverable }: ReaderPlace): WatchedPlace[] {
  const codebase: WatchedPlace = { name: 'codebase', root: repositoryRoot(root), own: [] }
  if (path.dirname(workspace) !== federationLayout(root).worktrees) return [codebase]
  const own = deliverable.split(path.sep).join('/')
  return [codebase, { name: 'worktree', root: workspace, own: [own] }]
}

/** A line about a place, in words that tell it from the other. */
export function inPlace({ name }: WatchedPlace, line: string): string {
  return name === 'codebase' ? line : `${line} in its worktree`
}

/** Leaves out what is the agent's to write. */
export function notOwn(found: readonly Difference[], own: readonly string[]): Difference[] {
  return found.filter(({ file }) => file === undefined || !own.includes(file))
}
