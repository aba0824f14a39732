import type { TaskEvent } from './task.ts'

/** What a machine sees of a signal. */
export interface SignalFacts {
  readonly id: string
  /** ISO 8601 time at which the signal was created. */
  readonly at: string
  readonly from: string
  readonly subject: string
  readonly body: string
}

/**
 * What the host found out before it asked the machine. Guards are part of a pure transition and may run more
 * than once for one event, so all that they need to know of the world is in the event.
 */
export interface Evidence {
  /** Paths named in the body that exist in the codebase. */
  readonly existingPaths?: readonly string[]
  /** Findings in the learning log since the mission began. */
  readonly findings?: number
  /** Which lines of the learning log are invalid and why, in words; undefined where all are valid. */
  readonly badFindings?: string | undefined
  readonly deliverable?: {
    readonly problems: readonly { readonly line: number; readonly message: string }[]
    readonly figures: DeliverableFigures | null
  }
  /** Where a mission begins, asked when a team is given one. */
  readonly base?: {
    /** The branch into which the work is to be merged; undefined where nothing names one. */
    readonly target?: string
    /** Last commit of the target; undefined where git knows no such branch. */
    readonly start?: string
    /** The last commit of the team's own branch; undefined where there is none. */
    readonly tip?: string
  }
  readonly branch?: {
    /** The last commit of the team's branch; without a worktree of its own, of what is checked out. */
    readonly head: string
    /** Its commits since the mission began that the target does not have. */
    readonly ahead: number
    /** Files that these commits change, and that the target would have otherwise if the branch were merged into it. */
    readonly changes: number
    /** What the worktree has checked out instead of the team's branch; commits made there do not count. */
    readonly instead?: string
    /** Files with uncommitted changes. */
    readonly uncommitted: readonly string[]
    /** Files that its commits change and its task may not, the first at most; undefined where it may change all. */
    readonly outside?: readonly string[]
  }
  /** The newest command that `fed` ran for this team since the mission began; null where it ran none. */
  readonly testRun?: TestRunFacts | null
  /** The checks that the federation configures, in its order; none where it configures none. */
  readonly checks?: readonly CheckFacts[]
  /**
   * Whether the tested work is in the target. Undefined while no commit was tested, and where git does not
   * know that commit or the target.
   */
  readonly merge?: {
    readonly branch: string
    readonly target: string
    /** How the work came into the target; null where that cannot be shown. */
    readonly proof: MergeProof | null
    /** How many commits of the branch the target does not have. */
    readonly missing: number
    /** Why a squash merge may have been missed: this git is too old to find one. Otherwise undefined. */
    readonly unseen?: string
  }
  /** The document by which a coordinator splits its goal. */
  readonly plan?: {
    readonly problems: readonly { readonly line: number; readonly message: string }[]
    /** Null where something is wrong with it. */
    readonly goal: GoalPlan | null
  }
  /** What happens next to the tasks of a goal, as it follows from where their teams stand. */
  readonly moves?: readonly TaskMove[]
  /** What a goal's result is made of and is not there as it was proven, a line each. */
  readonly lostInputs?: readonly string[]
  /** Id of the team that coordinates this one, where there is one and `meta` did not send this. */
  readonly coordinator?: string
  /** Whether the sender is `meta` or a registered team. */
  readonly senderRegistered?: boolean
  /** The other teams that the mission names, by their ids; asked for by guards of one's own alone. */
  readonly others?: Readonly<Record<string, OtherTeam>>
  /** What functions of the archetype's own found out, by their names. */
  readonly own?: Readonly<Record<string, OwnFinding>>
  /** Whether the codebase is unchanged since the session of a read-only agent began. */
  readonly codebase?: {
    /**
     * `confined`: it was mounted read-only for the agent; `unknown`: the record of how it was before is gone;
     * `no-session`: no agent that fed started is at work.
     */
    readonly verdict: 'unchanged' | 'confined' | 'changed' | 'unknown' | 'no-session'
    /** The first 20 changes at most, one line each. */
    readonly changes: readonly string[]
  }
}

/** Where another team stands. */
export interface OtherTeam {
  readonly archetype: string
  /** Leaf state; null where its lifecycle cannot be read. */
  readonly state: string | null
  /** Its own branch with the last commit of it; null for a team without one. */
  readonly branch: { readonly name: string; readonly head: string } | null
}

/** What a function of the archetype's own found out; `fault` where it threw, took too long, or returned no JSON. */
export type OwnFinding = { readonly value: unknown } | { readonly fault: string }

/**
 * How work came into its target. `commits`: by its own commits; `patches`: by a commit for each of its
 * patches; `squash`: by one commit that holds all of them.
 */
export type MergeProof = 'commits' | 'patches' | 'squash'

/** Where a mission began: what was there then is no work of the mission. */
export interface MissionBase {
  /** The branch into which the work is to be merged. */
  readonly target: string
  /** Its commit when the mission began. */
  readonly start: string
  /** The last commit of the team's own branch when the mission began. */
  readonly tip: string
}

/** A plan as a coordinator's machine sees it; what else its tasks say is the host's. */
export interface GoalPlan {
  readonly tasks: readonly {
    readonly id: string
    readonly attempts: number
    readonly when?: string | undefined
    readonly gate?: object | undefined
  }[]
  readonly gather?: string | undefined
}

/** A task and what happens to it. */
export interface TaskMove {
  readonly task: string
  readonly event: TaskEvent
}

export interface TestRunFacts {
  readonly commit: string
  readonly command: string
  readonly exitCode: number
  /** Files with uncommitted changes when the command began. */
  readonly uncommitted?: readonly string[]
  /** Where its output is. */
  readonly log?: string
}

/** A configured check, and how it ended on the commit that is to be proved. */
export interface CheckFacts {
  readonly name: string
  readonly command: string
  /** Paths of files that the check relies on. */
  readonly protects: readonly string[]
  /** Null where the check did not run on that commit as it is defined now. */
  readonly result: {
    /** When it ended, ISO 8601. */
    readonly at: string
    readonly commit: string
    readonly passed: boolean
    /** Null where the command did not end by itself, or did not begin. */
    readonly exitCode: number | null
    /** Why it did not pass, in words that follow the check's name; null where it passed. */
    readonly fault: string | null
    /** Where its output is. */
    readonly log: string
    /** Why no walls held it; null where they did. */
    readonly open: string | null
  } | null
}

export interface DeliverableFigures {
  readonly sizeBytes: number
  readonly words: number
  readonly sections: number
  readonly codeExamples: number
  readonly diagrams: number
}

export interface Carried {
  readonly signal: SignalFacts
  readonly evidence: Evidence
}

/** A signal as a machine's event: `<type>.<subject-in-kebab-case>`. */
export type TeamEvent =
  | ({ readonly type: `directive.${string}` } & Carried)
  | ({ readonly type: `question.${string}` } & Carried)
  | ({ readonly type: `report.${string}` } & Carried)
  | ({ readonly type: `alert.${string}` } & Carried)

/** A directive of `meta` as the team remembers it: its mission, or an instruction added to it later. */
export interface Instruction {
  readonly signal: string
  readonly at: string
  readonly subject: string
  readonly body: string
}

/** Why a team failed. */
export interface Failure {
  readonly event: string
  readonly at: string
  readonly reason: string
}

/** What every team's machine remembers. */
export interface TeamContext {
  readonly team: string
  readonly mission: Instruction | null
  readonly instructions: readonly Instruction[]
  readonly failure: Failure | null
  /** Who paused it, while it is paused. */
  readonly pausedBy?: string | undefined
}

/** What a machine says of a guard of its own. */
export interface GuardWords {
  /** Words that finish the sentence "this needs that …". */
  readonly needs: string
  /**
   * Kinds of evidence that it reads: the host gathers no others for it. `own.<name>` is what the archetype's function of
   * that name finds out.
   */
  readonly evidence?: readonly (Exclude<keyof Evidence, 'own'> | `own.${string}`)[]
}

/** What a state says to the host. */
export interface StateMeta {
  /**
   * Events that stay unacknowledged until a state takes them, such as `directive.*`. A wildcard defers none
   * of `controlSubjects`: name such a directive in full (`directive.pause`).
   */
  readonly defers?: readonly string[]
  /** The state waits for somebody else: no agent has anything to do in it. */
  readonly waits?: boolean
  /** On a machine's root: its own guards, by their names. */
  readonly guards?: Readonly<Record<string, GuardWords>>
}

/** A question that a team's machine took up. */
export interface Question {
  readonly signal: string
  /** ISO 8601 time at which it was asked. */
  readonly at?: string | undefined
  readonly from: string
  readonly subject: string
  readonly body: string
}

export interface TeamInput {
  readonly team: string
  /** The question that the previous mission left unanswered. */
  readonly question?: Question | undefined
}

/** Effects that a machine asks of its host. A report to `meta` on each transition is the host's own. */
export type AskedEffect = {
  readonly type: 'answerAsker'
  readonly params: {
    to: string
    subject: string
    body: string
    /** Id of the signal that this answers, by which its asker knows it. */
    question?: string | undefined
  }
}

export function instructionOf({ signal }: TeamEvent): Instruction {
  return { signal: signal.id, at: signal.at, subject: signal.subject, body: signal.body }
}

/** Where the mission begins; null where the evidence lacks a part, which `knowsTarget` refuses. */
export function baseOf({ evidence: { base } }: TeamEvent): MissionBase | null {
  const { target, start, tip } = base ?? {}
  return target === undefined || start === undefined || tip === undefined ? null : { target, start, tip }
}

export function failureOf({ type, signal }: TeamEvent): Failure {
  return { event: type, at: signal.at, reason: signal.body.trim() === '' ? signal.subject : signal.body }
}

/** A new team's context: only its name, which is '' where a pure transition gives no input. */
export function blankContext(input: TeamInput | undefined): TeamContext {
  return { team: input?.team ?? '', mission: null, instructions: [], failure: null }
}
