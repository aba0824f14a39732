import path from 'node:path'
import type { CodingContext } from '../../../machines/coding.ts'
import { targetOf } from '../../engine/step/mission-target.ts'
import { branchOf as nameOf } from '../../platform/git/worktree.ts'
import { gitOrNothing } from '../../platform/git/git.ts'
import { inputsFolder, workspaceLayout } from '../../protocol/folder-layout.ts'
import { skillsOf } from '../../records/skills/skill.ts'
import { disk } from '../../platform/storage/disk.ts'
import { chatAuthorOf, isListed } from '../../federation/chat-author.ts'
import { isUnrecorded } from '../../federation/unrecorded.ts'
import type { FiledSignal } from '../../records/signals/mailbox.ts'
import type { Team } from '../../federation/team.ts'
import type { TeamStatus } from '../../federation/team-status.ts'
import type { AgentProfile, ProfileSetting } from './agent-profile.ts'
import { adoptedPlan } from '../../engine/step/task-of-team.ts'
import { inputsOf } from '../../federation/goal/inputs.ts'
import { contextOf, COORDINATOR, taskOfTeam } from '../../engine/step/task-of-team.ts'
import { peersOf } from '../../federation/goal/peers.ts'
import { textOf } from '../../federation/mission.ts'
import type { GoalFacts } from './goal-sections.ts'
import { unreadMail } from '../sessions/unread-mail.ts'
import { earlierMission } from './earlier-mission.ts'
import type { Branch, PromptFacts } from './prompt-facts.ts'
import type { OriginOf } from './words-of-others.ts'
import { launchPrompt } from './write-prompt.ts'
import { isHeld } from '../../engine/confinement/hold.ts'
import type { LaunchPlan, PlannedAgent } from '../sessions/launch-plan.ts'
import { listSessions, type Session } from '../sessions/session-record.ts'
import { readReports } from '../sessions/session-reports.ts'

/** What an agent is given when its session begins. */
export interface Briefing {
  readonly team: string
  /** Agent name or command. */
  readonly agent: string
  /** `continue`: the mission had a session before; `after-reset`: its first session, after a reset. */
  readonly kind: 'first-run' | 'continue' | 'after-reset'
  readonly mission: number
  /** Skill file that the federation fills in, absolute. */
  readonly playbook: string
  readonly profile: AgentProfile
  /** Settings of the profile that the driver cannot pass to the agent. */
  readonly untold: readonly ProfileSetting[]
  readonly prompt: string
  /** Ids of the signals that the prompt shows: mail, the question, instructions. */
  readonly told: readonly string[]
  /** Id of the agent's own session that it resumes; undefined for a new one. */
  readonly resume: string | undefined
}

/** What the agent of the team's next session would be given. */
export async function briefingOf(
  team: Team,
  { agent, driver, profile, hold }: PlannedAgent & Pick<LaunchPlan, 'hold'>,
): Promise<Briefing> {
  const { actor, archetype, id } = team
  const { config, root } = actor.world
  const terms = { profile, isHeld: isHeld(hold) }
  const status = await team.status()
  const { workspace, missionNumber } = status
  const { sessions, skills } = workspaceLayout(workspace)
  const lastSession = listSessions(sessions).findLast(({ mission }) => mission === missionNumber)
  const playbook = `${config.playbookSkill}.md`
  const facts: PromptFacts = {
    status,
    archetype,
    profile,
    hasTools: driver.givesTools(terms),
    mail: unreadMail(team),
    originOf: originsFor(team),
    context: team.present().context,
    playbook,
    skills: skillsOf(root, archetype.skills, config)
      .map(({ file }) => file)
      .filter((file) => disk.exists(path.join(skills, file))),
    schema: config.deliverableSchema === undefined ? undefined : path.resolve(root, config.deliverableSchema),
    lastSession,
    accepted: team
      .history()
      .filter(({ outcome, type, sender }) => outcome === 'accepted' && type === 'report' && sender === id),
    earlier: missionNumber > 1 ? earlierMission(workspace, missionNumber - 1, config.deliverable) : undefined,
    branch: branchOf(team),
    goal: goalOf(team),
    peers: peersOf(actor.world, actor.world.registry.entry(id)),
  }
  return {
    team: id,
    agent,
    kind: lastSession !== undefined ? 'continue' : missionNumber > 1 ? 'after-reset' : 'first-run',
    mission: missionNumber,
    playbook: path.join(skills, playbook),
    profile,
    untold: driver.untold(terms),
    prompt: launchPrompt(facts),
    told: [
      ...facts.mail.map(({ id: signal }) => signal),
      ...questionOf(status),
      ...status.instructions.map(({ signal }) => signal),
    ],
    resume: resumable(sessions, lastSession, agent),
  }
}

/** The goal that a team works for, as its coordinator or for one of its tasks. */
function goalOf({ id, actor: { world } }: Team): GoalFacts | undefined {
  const entry = world.registry.entry(id)
  const folder = inputsFolder(entry)
  if (entry.archetypeId === COORDINATOR) {
    const context = contextOf(world, id)
    const plan = context && adoptedPlan(context)
    if (context === undefined || plan === undefined) return undefined
    const inputs = inputsOf(world, entry, { coordinator: id, context })
    return { coordinator: id, words: plan.goal, gather: plan.gather, paths: undefined, inputs, folder }
  }
  const task = taskOfTeam(world, entry)
  if (task === undefined) return undefined
  const { coordinator, context } = task
  return {
    coordinator,
    words: context.mission === null ? task.plan.goal : textOf(context.mission),
    gather: undefined,
    paths: task.task.paths,
    inputs: inputsOf(world, entry, task),
    folder,
  }
}

/** Where the signals of a team came from. */
export function originsFor({ mailbox, actor: { world } }: Team): OriginOf {
  const allowed = world.config.chatConfig?.allowedSenders ?? []
  let inbox: readonly FiledSignal[] | undefined
  return (id) => {
    const sender = chatAuthorOf(world.root, id)
    if (sender !== undefined) return { kind: 'chat', sender, isListed: isListed(sender, allowed) }
    inbox ??= mailbox.all()
    // of two files with one id nobody can say which it was
    const isSo = inbox.some((signal) => signal.id === id && isUnrecorded(world, mailbox, signal))
    return isSo ? { kind: 'unrecorded' } : undefined
  }
}

/** Id of the signal with the question that a consultant is asked, in a list; empty when there is none. */
export function questionOf({ question }: Pick<TeamStatus, 'question'>): string[] {
  return question === null ? [] : [question.signal]
}

/**
 * Id of the agent's own session to resume: the one reported in the mission's last session, if the same agent
 * ran it. Undefined where none was reported, also when that session was itself a resumed one, and where it is too
 * long to go on.
 */
function resumable(dir: string, last: Session | undefined, agent: string): string | undefined {
  if (last?.end?.cause === 'overflowed') return undefined
  return last?.agent === agent ? readReports(dir, last).agentSession : undefined
}

/** A team's own branch and the one into which it is merged; undefined for a team without one. */
function branchOf(team: Team): Branch | undefined {
  const { id, actor } = team
  const { world } = actor
  if (world.registry.entry(id).placementType !== 'worktree') return undefined
  const { base } = team.present().context as Partial<CodingContext>
  const target = base?.target ?? targetOf(actor)
  // where no branch is checked out, the commit stands in for it
  const head = target ?? gitOrNothing(world.root, 'rev-parse', '--short', 'HEAD')
  return head === undefined ? undefined : { name: nameOf(id), target: head }
}
