import * as z from 'zod/mini'
import { coding } from '../../machines/coding.ts'
import { coordinator } from '../../machines/coordinator.ts'
import { consultant } from '../../machines/consultant.ts'
import { deliverable } from '../../machines/deliverable.ts'
import { taskStates } from '../../machines/task-standing.ts'
import type { Logic } from '../engine/decide/judge.ts'
import type { PlacementType } from '../protocol/registry-schema.ts'
import { planSchema } from '../protocol/plan-schema.ts'
import { branchNameSchema } from '../protocol/branch-name.ts'
import { addressSchema } from '../protocol/team-id.ts'
import { timestampSchema } from '../protocol/time.ts'
import type { AgentTool, LeadAgent } from './lead-agent.ts'

const instruction = z.strictObject({
  signal: z.guid(),
  at: timestampSchema,
  subject: z.string(),
  body: z.string(),
})

/** What every team's persisted context holds. */
export const teamContext = {
  team: z.string(),
  mission: z.nullable(instruction),
  instructions: z.array(instruction),
  failure: z.nullable(z.strictObject({ event: z.string(), at: timestampSchema, reason: z.string() })),
  pausedBy: z.optional(addressSchema),
}

/** Id of a commit. */
const commit = z.string().check(z.regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/))

const figures = z.strictObject({
  sizeBytes: z.int(),
  words: z.int(),
  sections: z.int(),
  codeExamples: z.int(),
  diagrams: z.int(),
})

/** A task of a goal as its coordinator keeps it: `machines/task.ts`. */
const taskStanding = z.strictObject({
  state: z.enum(taskStates),
  context: z.strictObject({
    attempt: z.int().check(z.minimum(0)),
    attempts: z.int().check(z.minimum(1)),
    hasGate: z.boolean(),
    since: timestampSchema,
    moves: z.int().check(z.minimum(0)),
    reason: z.nullable(z.string()),
    proof: z.nullable(z.string()),
  }),
})

const questionSchema = z.strictObject({
  signal: z.guid(),
  at: z.optional(timestampSchema),
  from: addressSchema,
  subject: z.string(),
  body: z.string(),
})

/** A milestone as the agent is told it: in `state`, do `task`, then `fed report <subject> <options>`. */
export interface Milestone {
  readonly state: string
  readonly subject: string
  /** Options for `fed report`, beside the subject. */
  readonly options?: string
  /** What to do in that state before the milestone is true. */
  readonly task: string
  /** `task` for a deliverable in JSON, where that is another task. */
  readonly taskForJson?: string
}

const readers: readonly AgentTool[] = [
  { name: 'view', readOnly: true },
  { name: 'grep', readOnly: true },
  { name: 'glob', readOnly: true },
]

/** A kind of team. */
export interface Archetype {
  readonly id: string
  /** What such a team does, in one sentence. */
  readonly description: string
  readonly logic: Logic
  readonly placement: PlacementType
  /** Team that `fed run` uses when none is named. */
  readonly defaultTeam: string
  /** Skill files that onboarding installs. */
  readonly skills: readonly string[]
  readonly milestones: readonly Milestone[]
  readonly leadAgent: LeadAgent
  /** Whether its mission ends with a document under the configured name. */
  readonly delivers: boolean
}

/** The archetypes that ship with fed. */
export const builtInArchetypes: readonly Archetype[] = [
  {
    id: 'deliverable',
    description: 'Studies the codebase, changes nothing, and writes one document',
    logic: {
      machine: deliverable,
      context: z.strictObject({
        ...teamContext,
        plan: z.nullable(z.string()),
        insights: z.nullable(z.string()),
        figures: z.nullable(figures),
      }),
    },
    placement: 'directory',
    defaultTeam: 'docs',
    delivers: true,
    skills: ['documentation-standards.md', 'report-templates.md', 'diagram-tools.md', 'domain-playbook.md'],
    milestones: [
      {
        state: 'preparing',
        subject: 'mission-planned',
        options: '--body "<plan>"',
        task: 'read the mission and plan the document; the plan names the files and folders to read',
      },
      {
        state: 'scanning',
        subject: 'files-read',
        task: "read the relevant files and log each finding with 'fed learn'",
      },
      {
        state: 'distilling',
        subject: 'patterns-identified',
        options: '--body "<insights>"',
        task: 'organize what was found into insights',
      },
      {
        state: 'aggregating',
        subject: 'document-written',
        task: "write the deliverable by the documentation standards; 'fed check' tells what is missing",
        taskForJson: "write the deliverable as one JSON document; 'fed check' tells what is wrong",
      },
    ],
    leadAgent: {
      role: 'Writer and researcher',
      temperature: 0.3,
      tools: [...readers, { name: 'bash', readOnly: true }],
      responsibilities: [
        'gather information from the codebase',
        'analyze findings',
        'write the deliverable',
        'format and structure content',
      ],
    },
  },
  {
    id: 'coding',
    description: 'Changes the code on a branch of its own, and proves it with tests',
    logic: {
      machine: coding,
      context: z.strictObject({
        ...teamContext,
        base: z.nullable(z.strictObject({ target: branchNameSchema, start: commit, tip: commit })),
        plan: z.nullable(z.string()),
        testedCommit: z.nullable(z.string()),
      }),
    },
    placement: 'worktree',
    defaultTeam: 'coding',
    delivers: false,
    skills: [
      'implementation-standards.md',
      'testing-standards.md',
      'pull-request-standards.md',
      'domain-playbook.md',
    ],
    milestones: [
      {
        state: 'preparing',
        subject: 'plan-ready',
        options: '--body "<plan>"',
        task: 'read the mission and plan the change',
      },
      {
        state: 'implementing',
        subject: 'changes-committed',
        task: 'change the code and commit everything on this branch',
      },
      {
        state: 'testing',
        subject: 'tests-passed',
        options: '--run "<test command>"',
        task: "prove it by a command that fed runs itself ('fed report tests-failed' goes back)",
      },
      {
        state: 'testing',
        subject: 'pr-opened',
        options: '--body "<address>"',
        task: 'open the pull request of the commit whose tests passed',
      },
    ],
    leadAgent: {
      role: 'Software engineer',
      temperature: 0.2,
      tools: [...readers, { name: 'edit', readOnly: false }, { name: 'bash', readOnly: false }],
      responsibilities: [
        'plan the change',
        'implement it on the branch of the team',
        'prove it with tests',
        'open the pull request and answer the review',
      ],
    },
  },
  {
    id: 'consultant',
    description: 'Learns one domain of the codebase and answers questions about it',
    logic: {
      machine: consultant,
      context: z.strictObject({
        ...teamContext,
        question: z.nullable(questionSchema),
        leftQuestion: z.optional(z.nullable(questionSchema)),
        answered: z.int().check(z.minimum(0)),
      }),
    },
    placement: 'directory',
    defaultTeam: 'consultant',
    delivers: false,
    skills: ['research-standards.md', 'answering-standards.md', 'domain-playbook.md'],
    milestones: [
      {
        state: 'onboarding',
        subject: 'domain-mapped',
        options: '--body "<map>"',
        task: 'read the mission and map the domain that it names',
      },
      {
        state: 'indexing',
        subject: 'index-built',
        task: "study the domain and log each finding with 'fed learn'",
      },
      {
        state: 'researching',
        subject: 'answer',
        options: '--body "<answer>"',
        task: 'research the question',
      },
    ],
    leadAgent: {
      role: 'Domain expert',
      temperature: 0.3,
      tools: [...readers, { name: 'bash', readOnly: true }],
      responsibilities: [
        'map the domain and study it',
        'log what is found',
        'research each question',
        'answer it with evidence',
      ],
    },
  },
  {
    id: 'coordinator',
    description: 'Reaches a goal by other teams: it plans, and makes one result of what they prove',
    logic: {
      machine: coordinator,
      context: z.strictObject({
        ...teamContext,
        plan: z.nullable(planSchema),
        tasks: z.record(z.string(), taskStanding),
        answers: z.record(
          z.string(),
          z.strictObject({ isYes: z.boolean(), by: addressSchema, at: timestampSchema }),
        ),
        settlements: z.int().check(z.minimum(0)),
        figures: z.nullable(figures),
      }),
    },
    placement: 'directory',
    defaultTeam: 'goal',
    delivers: false,
    skills: ['goal-standards.md', 'domain-playbook.md'],
    milestones: [
      {
        state: 'planning',
        subject: 'plan-ready',
        task: "look at the repository and split the goal into tasks in plan.yaml; 'fed plan check' names what is wrong with it",
      },
      {
        state: 'coordinating',
        subject: 'failures-settled',
        options: '--body "<what is missing>"',
        task: 'nothing, while teams work; of tasks that failed say what becomes: `fed report retry-task --body "<task> <what to do differently>"`, or leave them',
      },
      {
        state: 'gathering',
        subject: 'result-gathered',
        task: "make one deliverable of the tasks' documents, as the plan says under 'gather'; 'fed check' tells what is missing",
      },
    ],
    leadAgent: {
      role: 'Coordinator of teams',
      temperature: 0.2,
      tools: [...readers, { name: 'bash', readOnly: true }],
      responsibilities: [
        'split the goal into tasks that teams can prove',
        'say what becomes of tasks that failed',
        'make one result of what was proven',
      ],
    },
  },
]
