import path from 'node:path'
import type { PlacementType } from './registry-schema.ts'

/** Where the federation's own files are (spec §4.1); `root` is absolute. */
export function federationLayout(root: string) {
  const fed = path.join(root, '.fed')
  return {
    config: path.join(root, 'federate.config.json'),
    fed,
    /** Which federation this is, and where it was set up. */
    record: path.join(fed, 'federation.json'),
    registry: path.join(fed, 'team-registry.json'),
    /** In which run of the machine the outboxes were looked through. */
    boot: path.join(fed, 'boot.json'),
    teams: path.join(fed, 'teams'),
    worktrees: path.join(fed, 'worktrees'),
    /** What happens now, for whoever watches. */
    inspection: path.join(fed, 'inspection'),
    /** Layouts of its own machines' charts, which take a second to make. */
    layouts: path.join(fed, 'layouts'),
    hookFaults: path.join(fed, 'hook-faults.jsonl'),
    /** Which hook initialized the federation. */
    hookInitialized: path.join(fed, 'hook-initialized.json'),
    /** What offboarded teams left. */
    archive: path.join(fed, 'archive'),
    /** What came with a copy of another federation, by that one's id. */
    copied: path.join(fed, 'copied'),
    chat: path.join(fed, 'chat'),
    /** What only the person's own programs read of the page. */
    dashboard: path.join(fed, 'dashboard'),
    /** What configured checks printed and how they ended, by team and commit. */
    checks: path.join(fed, 'checks'),
    /** What the setup of checks made, by the digest of what it was made from. */
    setup: path.join(fed, 'setup'),
    /** Which site of a linked federation this is, and what it knows of the others. */
    link: path.join(fed, 'link'),
    /** A folder for each team that lives at another site: a copy of its life, and the mail on its way to it. */
    sites: path.join(fed, 'sites'),
  }
}

/** The workspace that fed gives a team (spec §4.1). */
export function workspaceOf(
  root: string,
  { domainId, placementType }: { readonly domainId: string; readonly placementType: PlacementType },
): string {
  const { teams, worktrees } = federationLayout(root)
  return path.join(placementType === 'worktree' ? worktrees : teams, domainId)
}

/** Where a team's inputs lie: beside its work, and in a worktree where git ignores them. */
export function inputsFolder({
  location,
  placementType,
}: {
  readonly location: string
  readonly placementType: PlacementType
}): string {
  return placementType === 'worktree' ? workspaceLayout(location).inputs : path.join(location, 'inputs')
}

/** Where the document of a task lies among a team's inputs. */
export function inputFile(
  place: Parameters<typeof inputsFolder>[0],
  { task, file }: { readonly task: string; readonly file: string },
): string {
  return path.join(inputsFolder(place), `${task}${path.extname(file)}`)
}

/** What stands here for a team, or for `meta`, that lives at another site; laid out as a workspace. */
export function placeOfAbsent(root: string, id: string): string {
  return path.join(federationLayout(root).sites, id)
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
  /** Which process tells the federation's hook of a commit, while it does. */
  readonly hookCalls: string
  /** What the commands printed that `fed` ran, a file each. */
  readonly testLogs: string
  readonly sessions: string
  /** What agents ask of fed, a folder for each session: the one that they write. */
  readonly trays: string
  /** What fed answers, likewise. */
  readonly answers: string
  readonly skills: string
  /** What a session remembers of the codebase while it runs. */
  readonly codebase: string
  /** Documents of others that a task's team works from. */
  readonly inputs: string
  /** Why attempts at a coordinator's tasks could not begin. */
  readonly troubles: string
  /** Of which mission a `fed run` has yet to tell the end. */
  readonly awaitedEnd: string
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
  // joined once: a monitoring cycle asks for the layout of every team
  const fed = path.join(workspace, '.fed') + path.sep
  const signals = `${fed}signals${path.sep}`
  return {
    identity: `${fed}team.json`,
    inbox: `${signals}inbox`,
    outbox: `${signals}outbox`,
    quarantine: `${signals}quarantine`,
    lifecycle: `${fed}lifecycle.json`,
    missions: `${fed}missions`,
    learnings: `${fed}learnings.jsonl`,
    testRuns: `${fed}test-runs.jsonl`,
    testLogs: `${fed}test-runs`,
    hookCalls: `${fed}hook-calls`,
    sessions: `${fed}sessions`,
    trays: `${fed}tray`,
    answers: `${fed}answers`,
    skills: `${fed}skills`,
    codebase: `${fed}codebase`,
    inputs: `${fed}inputs`,
    troubles: `${fed}troubles`,
    awaitedEnd: `${fed}awaited-end.json`,
  }
}
