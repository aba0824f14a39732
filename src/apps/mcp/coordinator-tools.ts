import { execFile } from 'node:child_process'
import type { McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod/mini'
import { told } from '../../agents/requests/request.ts'
import { program } from '../../platform/process/package.ts'
import { costGroups } from '../../protocol/cost-groups.ts'
import { described } from './described.ts'

/** A command of fed that a coordinator's agent may give, in the person's place who started it. */
interface Command {
  readonly description: string
  readonly input: z.ZodMiniType<Record<string, string | boolean | undefined>>
  readonly isReadOnly?: true
  readonly isIdempotent?: true
  /** The command line; what comes from outside stands behind `--` or an option's `=`. */
  readonly words: (given: Readonly<Record<string, string | boolean | undefined>>) => readonly string[]
}

/** A text that a command line can hold. */
const oneWord = () => z.string().check(z.minLength(1), z.maxLength(longestText), z.regex(/^[^\0]*$/))
/** In characters; a system takes 128 KiB for one word of a command line. */
const longestText = 30_000

const teamId = told(z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,62}$/)), "the team's id")
const option = (name: string, value: string | boolean | undefined) =>
  value === undefined ? [] : [`--${name}=${String(value)}`]

/** Nothing of it trusts code, takes a team out of the federation, or changes a configuration. */
const commands: Readonly<Record<string, Command>> = {
  teams: {
    description: 'Where all teams stand: state, mission, mail, health.',
    input: z.strictObject({}),
    isReadOnly: true,
    words: () => ['status'],
  },
  team_status: {
    description: 'Where one team stands, with what it accepts and what it used up.',
    input: z.strictObject({ team: teamId }),
    isReadOnly: true,
    words: ({ team }) => ['status', '--', String(team)],
  },
  onboard: {
    description: 'Make a team, with a mission. It does nothing before it is launched.',
    input: z.strictObject({
      name: told(oneWord(), 'what the team is called, such as "API docs"'),
      archetype: z.optional(told(oneWord(), 'deliverable (a document), coding (a branch) or consultant')),
      mission: z.optional(
        told(oneWord(), `what it is to do, in up to ${longestText} characters; send tells more`),
      ),
    }),
    words: ({ name, archetype, mission }) => [
      'onboard',
      ...option('archetype', archetype),
      ...option('mission', mission),
      '--',
      String(name),
    ],
  },
  launch: {
    description: "Start a team's agent in the background. It costs what the agent costs; give a budget.",
    input: z.strictObject({
      team: teamId,
      budget: z.optional(
        told(oneWord(), 'the most that the mission may use up: 2.50usd, 200000tokens, 45min'),
      ),
    }),
    words: ({ team, budget }) => ['launch', '--detach', ...option('budget', budget), '--', String(team)],
  },
  pause: {
    description: 'Pause a team; its agent is stopped.',
    input: z.strictObject({ team: teamId }),
    words: ({ team }) => ['pause', '--', String(team)],
  },
  resume: {
    description: 'Resume a paused team. It starts no agent: launch does.',
    input: z.strictObject({ team: teamId }),
    words: ({ team }) => ['resume', '--', String(team)],
  },
  monitor: {
    description:
      'One monitoring cycle: handles what waits, and tells what needs somebody and the mail for meta.',
    input: z.strictObject({}),
    words: () => ['monitor'],
  },
  costs: {
    description: 'What agents used up, as far as they tell it.',
    input: z.strictObject({
      by: z.optional(told(z.enum(costGroups), 'for each of these; without it by team')),
      since: z.optional(told(oneWord(), 'from the day of this time or age on, such as 7d')),
    }),
    isReadOnly: true,
    words: ({ by, since }) => ['costs', ...option('by', by), ...option('since', since)],
  },
}

/** Adds the tools with which a person's own agent coordinates the teams. */
export function addCoordinatorTools(server: McpServer, root: string): void {
  for (const [
    name,
    { description, input, words, isReadOnly = false, isIdempotent = isReadOnly },
  ] of Object.entries(commands)) {
    server.registerTool(
      name,
      {
        description,
        inputSchema: described(input),
        outputSchema: described(z.looseObject({})),
        annotations: {
          readOnlyHint: isReadOnly,
          destructiveHint: false,
          idempotentHint: isIdempotent,
          openWorldHint: name === 'launch',
        },
      },
      async (given: unknown) => {
        const { isError, text, note } = await fed(root, words(given as Record<string, string>))
        if (isError) return { content: [{ type: 'text', text }], isError }
        const answer = JSON.parse(text) as object
        return {
          // what the command said besides, such as that an agent cannot do a team's work
          content: [text, ...(note === '' ? [] : [note])].map((one) => ({ type: 'text', text: one })),
          structuredContent: Array.isArray(answer) ? { items: answer } : { ...answer },
        }
      },
    )
  }
}

/** Most that a command prints, in bytes. */
const maxBuffer = 64 * 1_048_576

function fed(
  root: string,
  words: readonly string[],
): Promise<{ isError: boolean; text: string; note: string }> {
  const [command = '', ...rest] = words
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [program('fed'), command, '--json', ...rest],
      { cwd: root, maxBuffer },
      (error, stdout, stderr) => {
        // a cycle that finds something to see to says so by its exit code, and reports all the same
        const isReport = command === 'monitor' && error?.code === 1 && stdout.includes('"teams"')
        const isAnswer = error === null || isReport
        const text = (isAnswer ? stdout : stderr || stdout).trim()
        resolve({ isError: !isAnswer, text, note: isAnswer ? stderr.trim() : '' })
      },
    ).stdin?.end()
  })
}
