import * as z from 'zod/mini'
import { coding } from '../../machines/coding.ts'
import { consultant } from '../../machines/consultant.ts'
import { deliverable } from '../../machines/deliverable.ts'
import type { Logic } from '../actors/logic.ts'
import { UsageError } from '../errors.ts'
import type { PlacementType } from '../protocol/registry.ts'
import { addressSchema } from '../protocol/team-id.ts'
import { timestampSchema } from '../protocol/time.ts'

const instruction = z.strictObject({
  signal: z.guid(),
  at: timestampSchema,
  subject: z.string(),
  body: z.string(),
})

const teamContext = {
  team: z.string(),
  mission: z.nullable(instruction),
  instructions: z.array(instruction),
  failure: z.nullable(z.strictObject({ event: z.string(), at: timestampSchema, reason: z.string() })),
}

const figures = z.strictObject({
  sizeBytes: z.int(),
  words: z.int(),
  sections: z.int(),
  codeExamples: z.int(),
  diagrams: z.int(),
})

/** One step of an archetype's way, as an agent is told it. */
interface Milestone {
  readonly state: string
  readonly subject: string
  /** What to do in that state before the milestone is true. */
  readonly task: string
}

/** A kind of team. */
export interface Archetype {
  readonly id: string
  readonly logic: Logic
  readonly placement: PlacementType
  /** Team that `fed run` uses when none is named. */
  readonly defaultTeam: string
  /** Skill files that onboarding installs. */
  readonly skills: readonly string[]
  readonly milestones: readonly Milestone[]
}

const archetypes: readonly Archetype[] = [
  {
    id: 'deliverable',
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
    skills: ['documentation-standards.md', 'report-templates.md', 'diagram-tools.md', 'domain-playbook.md'],
    milestones: [
      {
        state: 'preparing',
        subject: 'mission-planned',
        task: 'read the mission and plan the document; the body names the files and folders to read',
      },
      {
        state: 'scanning',
        subject: 'files-read',
        task: "read the relevant files and log each finding with 'fed learn'",
      },
      {
        state: 'distilling',
        subject: 'patterns-identified',
        task: 'organize what was found; the body holds the insights',
      },
      {
        state: 'aggregating',
        subject: 'document-written',
        task: "write the deliverable by the documentation standards; 'fed check' tells what is missing",
      },
    ],
  },
  {
    id: 'coding',
    logic: {
      machine: coding,
      context: z.strictObject({
        ...teamContext,
        plan: z.nullable(z.string()),
        testedCommit: z.nullable(z.string()),
      }),
    },
    placement: 'worktree',
    defaultTeam: 'coding',
    skills: ['domain-playbook.md'],
    milestones: [
      {
        state: 'preparing',
        subject: 'plan-ready',
        task: 'read the mission; the body holds the plan of the change',
      },
      {
        state: 'implementing',
        subject: 'changes-committed',
        task: 'change the code and commit everything on this branch',
      },
      {
        state: 'testing',
        subject: 'tests-passed',
        task: "prove it: 'fed report tests-passed --run \"<test command>\"'; 'fed report tests-failed' goes back",
      },
      {
        state: 'testing',
        subject: 'pr-opened',
        task: 'open the pull request of the commit whose tests passed',
      },
    ],
  },
  {
    id: 'consultant',
    logic: {
      machine: consultant,
      context: z.strictObject({
        ...teamContext,
        question: z.nullable(
          z.strictObject({ signal: z.guid(), from: addressSchema, subject: z.string(), body: z.string() }),
        ),
        answered: z.int().check(z.minimum(0)),
      }),
    },
    placement: 'directory',
    defaultTeam: 'consultant',
    skills: ['domain-playbook.md'],
    milestones: [
      {
        state: 'onboarding',
        subject: 'domain-mapped',
        task: 'read the mission and map the domain that it names',
      },
      {
        state: 'indexing',
        subject: 'index-built',
        task: "study the domain and log each finding with 'fed learn'",
      },
      { state: 'researching', subject: 'answer', task: 'research the question; the body is the answer' },
    ],
  },
]

/** Ids of the archetypes that can be onboarded. */
export const archetypeIds: readonly string[] = archetypes.map(({ id }) => id)

/** @throws {UsageError} when there is no such archetype. */
export function archetypeOf(id: string): Archetype {
  const archetype = archetypes.find((one) => one.id === id)
  if (archetype === undefined)
    throw new UsageError(`no archetype '${id}'; there are ${archetypeIds.join(', ')}`)
  return archetype
}
