import path from 'node:path'
import type { Input } from '../../federation/goal/inputs.ts'
import type { Peer } from '../../federation/goal/peers.ts'
import { named, quoted } from './outside-text.ts'

/** The goal that a team works for. */
export interface GoalFacts {
  /** Id of the coordinator; the team's own where it coordinates. */
  readonly coordinator: string
  /** The person's words. */
  readonly words: string
  /** What the plan says of the result; only for the coordinator. */
  readonly gather: string | undefined
  /** What the team's task may change; undefined for everything. */
  readonly paths: readonly string[] | undefined
  readonly inputs: readonly Input[]
  /** Absolute path of the folder in which they lie. */
  readonly folder: string
}

/** The goal behind a mission, and what others proved for it. */
export function goalSection(team: string, goal: GoalFacts | undefined): string[] {
  if (goal === undefined) return []
  const { coordinator, words, gather, paths, inputs, folder } = goal
  return [
    [
      '# Goal',
      coordinator === team
        ? `The plan is ${named('plan.yaml')} in your workspace. Its teams do the work; fed begins them and looks for the proof.`
        : `This mission is a task of the goal ${quoted(words, 500)}, which ${coordinator} coordinates.`,
      ...(paths === undefined
        ? []
        : [
            `You may change ${paths.map((one) => quoted(one)).join(', ')}, and nothing else: commits that change other files are refused.`,
          ]),
      ...(gather === undefined ? [] : [`The result: ${quoted(gather, 500)}`]),
      ...inputsPart(inputs, folder),
    ].join('\n\n'),
  ]
}

function inputsPart(inputs: readonly Input[], folder: string): string[] {
  if (inputs.length === 0) return []
  const lines = inputs.map(({ task, file, proof, fault }) => {
    const what = file === undefined ? proof : `${named(path.join(folder, path.basename(file)))} (${proof})`
    return `- ${task}: ${what}${fault === undefined ? '' : `; note: ${fault}`}`
  })
  return [`What was proven before, and is yours to build on:\n\n${lines.join('\n')}`]
}

/** The teams that may be asked, and how. */
export function peersSection(peers: readonly Peer[]): string[] {
  if (peers.length === 0) return []
  const lines = peers.map(
    ({ team, archetype, state, about, answers }) =>
      `- ${team} (${archetype}, ${state}): ${quoted(about, 120)}${answers ? '; answers questions' : ''}`,
  )
  return [
    `# Other teams\n\n${lines.join('\n')}\n\n\`fed send <team> --type question --subject "<question>"\` asks one; the answer comes as mail. \`fed status <team>\` and \`fed learnings <team>\` tell more, at once.`,
  ]
}
