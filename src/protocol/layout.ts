import path from 'node:path'

/** Where the federation's own files are (spec §4.1); `root` is absolute. */
export function federationLayout(root: string) {
  const fed = path.join(root, '.fed')
  return {
    config: path.join(root, 'federate.config.json'),
    fed,
    registry: path.join(fed, 'team-registry.json'),
    teams: path.join(fed, 'teams'),
    worktrees: path.join(fed, 'worktrees'),
  }
}

/** Where a workspace's files are. */
export interface WorkspaceLayout {
  readonly identity: string
  readonly inbox: string
  readonly outbox: string
  readonly quarantine: string
  readonly lifecycle: string
  readonly missions: string
  readonly learnings: string
  readonly testRuns: string
  readonly sessions: string
  readonly skills: string
}

/** Made once for each workspace: every look into one asks for several of these. */
const layouts = new Map<string, WorkspaceLayout>()

/** Where a workspace's files are; the federation's root is `meta`'s workspace. */
export function workspaceLayout(workspace: string): WorkspaceLayout {
  let layout = layouts.get(workspace)
  if (layout === undefined) layouts.set(workspace, (layout = layoutOf(workspace)))
  return layout
}

function layoutOf(workspace: string): WorkspaceLayout {
  const fed = path.join(workspace, '.fed')
  const signals = path.join(fed, 'signals')
  return {
    identity: path.join(fed, 'team.json'),
    inbox: path.join(signals, 'inbox'),
    outbox: path.join(signals, 'outbox'),
    quarantine: path.join(signals, 'quarantine'),
    lifecycle: path.join(fed, 'lifecycle.json'),
    missions: path.join(fed, 'missions'),
    learnings: path.join(fed, 'learnings.jsonl'),
    testRuns: path.join(fed, 'test-runs.jsonl'),
    sessions: path.join(fed, 'sessions'),
    skills: path.join(fed, 'skills'),
  }
}
