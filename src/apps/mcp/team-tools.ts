import * as z from 'zod/mini'
import { categoryOf, confidenceLevels, learningCategories, OTHER } from '../../protocol/learning.ts'
import { codebaseHasCode } from '../../engine/step/codebase-has-code.ts'
import { checkDeliverableFile } from '../../records/deliverable/check-file.ts'
import { writeDeliverableFile } from '../../records/deliverable/write-file.ts'
import { RefusedError } from '../../errors/fed-error.ts'
import { describeBad, readLearnings } from '../../records/learnings/learning-log.ts'
import { runMissing, wantedChecks } from '../../federation/run-missing-checks.ts'
import { learnFor } from '../../federation/log-finding.ts'
import { defineTool, told, type AgentTool, type Caller } from './agent-tool.ts'

function ownTeam({ federation, address }: Caller) {
  return federation.team(address)
}

/** @throws {RefusedError} with the machine's reason. */
async function tell(
  caller: Caller,
  type: 'report' | 'alert',
  { subject, body }: { readonly subject: string; readonly body: string },
): Promise<unknown> {
  const team = await ownTeam(caller)
  // the standard output is the protocol's, and the server ends with its client
  const watch = { signal: new AbortController().signal, onOutput: () => undefined, onBegin: () => undefined }
  await runMissing(await wantedChecks(team, { type, subject, body }), watch)
  const { entry } = await team.tell({ type, subject, body })
  if (entry?.outcome !== 'accepted')
    throw new RefusedError(entry?.refusal?.message ?? `${subject} waits in ${team.id}'s inbox`)
  const { accepts } = await team.status()
  return { outcome: entry.outcome, from: entry.from, to: entry.to, accepts }
}

const milestone = z.strictObject({
  subject: told(z.string(), 'the milestone, such as files-read: one that status accepts'),
  body: z._default(z.string(), ''),
})

const content = told(z.string().check(z.minLength(1)), 'the finding, in a sentence or two')

/** The caller's own team: where it stands, what it reached, what it found. */
export const teamTools: readonly AgentTool[] = [
  defineTool({
    name: 'status',
    description:
      'Where your team stands: state, mission, instructions, question, what is accepted now, and what is still missing for it.',
    input: z.strictObject({}),
    isReadOnly: true,
    call: async (caller) => (await ownTeam(caller)).status(),
  }),
  defineTool({
    name: 'report',
    description:
      "Tell your team's machine that a milestone is reached. It is accepted, or refused with what is missing; one that needs tests runs the federation's checks first, which may take long; where it configures none, a test run goes through the command 'fed report <subject> --run'.",
    input: milestone,
    call: (caller, said) => tell(caller, 'report', said),
  }),
  defineTool({
    name: 'alert',
    description:
      'Tell your team that the mission cannot go on, which ends it: information-missing, source-inaccessible or structure-undetermined. The body says why.',
    input: milestone,
    call: (caller, said) => tell(caller, 'alert', said),
  }),
  defineTool({
    name: 'learn',
    description: "Add a finding to your team's learning log.",
    input: z.strictObject({
      content,
      category: z._default(z.enum(learningCategories), 'discovery'),
      confidence: z._default(z.enum(confidenceLevels), 'medium'),
      tags: z._default(z.array(z.string()), []),
    }),
    call: async (caller, finding) => learnFor(await ownTeam(caller), finding),
  }),
]

/** For teams whose result is a document; the one file of the codebase's surroundings that their agent may write. */
export const deliverableTools: readonly AgentTool[] = [
  defineTool({
    name: 'write_deliverable',
    description:
      "Write your team's deliverable, whole: it replaces what was there. Answers with what the standards still miss, by line.",
    input: z.strictObject({ content: told(z.string(), 'the whole document') }),
    call: async (caller, { content: text }) => {
      const team = await ownTeam(caller)
      const file = team.deliverableFile
      const { workspace } = team.actor
      writeDeliverableFile(file, text, workspace)
      const report = checkDeliverableFile(file, {
        workspace,
        codebaseHasCode: codebaseHasCode(caller.federation.root),
      })
      return { file, ...report }
    },
  }),
]

/** Findings of every team: reading them is for everybody. */
export const findingTools: readonly AgentTool[] = [
  defineTool({
    name: 'learnings',
    description:
      'What the teams of this federation found so far; of one team, a category or with a tag. Lines of their logs that are no findings are told as passed over.',
    input: z.strictObject({
      team: z.optional(z.string()),
      category: z.optional(z.enum([...learningCategories, OTHER])),
      tag: z.optional(z.string()),
    }),
    isReadOnly: true,
    call: async ({ federation }, { team, category, tag }) => {
      const entries =
        team === undefined ? federation.registry.read().teams : [federation.registry.entry(team)]
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
  }),
]
