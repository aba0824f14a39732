import * as z from 'zod/mini'
import { categoryOf, confidenceLevels, learningCategories, OTHER } from '../../protocol/learning.ts'
import { UsageError } from '../../errors/fed-error.ts'
import type { Team } from '../../federation/team.ts'
import { META } from '../../protocol/team-id.ts'
import { describeBad, readLearnings } from '../../records/learnings/learning-log.ts'
import { learnFor } from '../../federation/log-finding.ts'
import { defineRequest, told, type Caller } from './request.ts'
import type { Accepted, Milestone, Wishes } from './tell-milestone.ts'

/** @throws {UsageError} when it is not said which team asks. */
async function ownTeam({ federation, address }: Pick<Caller, 'federation' | 'address'>): Promise<Team> {
  if (address === META) throw new UsageError('which team? name one, or set FED_TEAM')
  return federation.team(address)
}

async function tellOwnTeam(caller: Caller, milestone: Milestone, wishes: Wishes): Promise<Accepted> {
  const { tellMilestone } = await import('./tell-milestone.ts')
  return tellMilestone(caller, await ownTeam(caller), milestone, wishes)
}

const milestone = z.strictObject({
  subject: told(z.string(), 'the milestone, such as files-read: one that status accepts'),
  body: told(z._default(z.string(), ''), 'what the milestone needs: the plan, the insights, the reason'),
})

const content = told(z.string().check(z.minLength(1)), 'the finding, in a sentence or two')

export const status = defineRequest({
  name: 'status',
  description:
    'Where your team stands: state, mission, instructions, question, what is accepted now, and what is still missing for it.',
  input: z.strictObject({}),
  isReadOnly: true,
  carryOut: async (caller) => (await ownTeam(caller)).status(),
})

export const report = defineRequest({
  name: 'report',
  description:
    "Tell your team's machine that a milestone is reached. It is accepted, or refused with what is missing; one that needs tests runs the federation's checks first, which may take long; where it configures none, a test run goes through the command 'fed report <subject> --run'.",
  input: z.extend(milestone, {
    run: z.optional(
      told(z.string(), 'where no checks are configured: a command to run first, as an unpinned check'),
    ),
    missing: z._default(told(z.boolean(), 'whether to say what is missing for what comes next'), true),
  }),
  carryOut: (caller, { run, missing, ...said }) =>
    tellOwnTeam(caller, { type: 'report', ...said }, { run, missing }),
})

export const alert = defineRequest({
  name: 'alert',
  description:
    'Tell your team that the mission cannot go on, which ends it: information-missing, source-inaccessible or structure-undetermined. The body says why.',
  input: z.extend(milestone, {
    missing: told(z._default(z.boolean(), true), 'whether to say what is missing for what comes next'),
  }),
  carryOut: (caller, { missing, ...said }) => tellOwnTeam(caller, { type: 'alert', ...said }, { missing }),
})

export const learn = defineRequest({
  name: 'learn',
  description: "Add a finding to your team's learning log.",
  input: z.strictObject({
    content,
    category: told(z._default(z.enum(learningCategories), 'discovery'), 'what kind of finding it is'),
    confidence: told(z._default(z.enum(confidenceLevels), 'medium'), 'how sure you are of it'),
    tags: told(z._default(z.array(z.string()), []), 'words by which others find it'),
  }),
  carryOut: async (caller, finding) => learnFor(await ownTeam(caller), finding, caller.once?.timestamp),
})

export const check = defineRequest({
  name: 'check',
  description: "Check a team's deliverable against the standards, by line.",
  input: z.strictObject({ team: z.optional(z.string()) }),
  isReadOnly: true,
  carryOut: async ({ federation, address }, { team: named = address }) => {
    const team = await ownTeam({ federation, address: federation.addressOf(named) })
    const { checkDeliverableOf } = await import('../../engine/step/deliverable-evidence.ts')
    return { file: team.deliverableFile, ...(await checkDeliverableOf(team.actor)) }
  },
})

/** For teams whose result is a document; the one file of the codebase's surroundings that their agent may write. */
export const writeDeliverable = defineRequest({
  name: 'write-deliverable',
  tool: 'write_deliverable',
  description:
    "Write your team's deliverable, whole: it replaces what was there. Answers with what the standards still miss, by line.",
  isDestructive: true,
  isIdempotent: true,
  input: z.strictObject({ content: told(z.string(), 'the whole document') }),
  carryOut: async (caller, { content: text }) => {
    const team = await ownTeam(caller)
    const file = team.deliverableFile
    const [{ writeDeliverableFile }, { checkDeliverableOf }] = await Promise.all([
      import('../../records/deliverable/write-file.ts'),
      import('../../engine/step/deliverable-evidence.ts'),
    ])
    writeDeliverableFile(file, text, team.actor.workspace)
    return { file, ...(await checkDeliverableOf(team.actor)) }
  },
})

/** Findings of every team: reading them is for everybody. */
export const learnings = defineRequest({
  name: 'learnings',
  description:
    'What the teams of this federation found so far; of one team, a category or with a tag. Lines of their logs that are no findings are told as passed over.',
  input: z.strictObject({
    team: z.optional(told(z.string(), 'of this team only')),
    category: z.optional(told(z.enum([...learningCategories, OTHER]), 'of this kind only')),
    tag: z.optional(told(z.string(), 'with this tag only')),
  }),
  isReadOnly: true,
  carryOut: async ({ federation }, { team, category, tag }) => {
    const entries = team === undefined ? federation.registry.read().teams : [federation.registry.entry(team)]
    const logs = entries.map(({ domainId, location }) => ({ domainId, ...readLearnings(location) }))
    const found = logs
      .flatMap(({ findings }) => findings)
      .filter((one) => category === undefined || categoryOf(one) === category)
      .filter((one) => tag === undefined || one.tags.includes(tag))
    const passedOver = logs.flatMap(({ domainId, bad }) =>
      bad.length === 0 ? [] : [`${domainId}: ${describeBad(bad)}`],
    )
    return { findings: found, passedOver }
  },
})
