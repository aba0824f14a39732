import * as z from 'zod/mini'
import { budgetsSchema } from './budget.ts'
import { branchNameSchema } from './branch-name.ts'
import { chatSchema } from './config-chat.ts'
import { checksSchema, setupSchema } from './config-checks.ts'
import { confinementSchema } from './config-confinement.ts'
import { linkSchema } from './config-link.ts'
import { readDuration, longestMs } from './duration.ts'
import { shippedSkillNames } from './skill-names.ts'

/** The agent that ships with fed; everything works on a fresh machine with no account. */
export const EMBEDDED_AGENT = 'fed-agent'

const text = (description: string) => z.string().check(z.minLength(1, 'is empty'), z.describe(description))

const fileName = (description: string) =>
  z
    .string()
    .check(
      z.regex(/^[^/\\\0.][^/\\\0]*$/, 'must be a file name without a path, and not begin with a dot'),
      z.describe(description),
    )

function isShipped(name: string): boolean {
  return shippedSkillNames.some((one) => one === name.toLowerCase())
}

/** Where telemetry goes; also what `OTEL_EXPORTER_OTLP_ENDPOINT` may say. */
export const endpointSchema = z
  .url({ protocol: /^https?$/, error: 'is not an http or https URL' })
  .check(
    z.describe(
      'OpenTelemetry collector that takes OTLP over HTTP. OTEL_EXPORTER_OTLP_ENDPOINT overrides it.',
    ),
  )

/** Content of `federate.config.json`: all fields are optional (spec §2.3). The descriptions are what editors show. */
export const configSchema = z
  .strictObject({
    $schema: z.optional(
      z.string().check(z.describe('JSON Schema by which an editor completes and explains this file.')),
    ),
    description: z.optional(z.string().check(z.describe('What the federation is for, for people.'))),
    federationName: z.optional(
      z
        .string()
        .check(
          z.regex(/^\s*[^\s@]/, 'is empty, or begins with the @ that people write before it'),
          z.describe(
            'Name by which the chat channel addresses the federation, as @<federationName>. A chat needs it.',
          ),
        ),
    ),
    agentCommand: z._default(
      z
        .string()
        .check(
          z.regex(/\S/, 'is empty'),
          z.describe(
            'Agent that works for the teams: fed-agent, which ships with fed, a known one by its name, or a command.',
          ),
        ),
      EMBEDDED_AGENT,
    ),
    agents: z._default(
      z
        .record(
          z
            .string()
            .check(z.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, "is no name: words of a-z and 0-9 joined by '-'")),
          z.string().check(z.regex(/^[^\p{Cc}]*[^\s\p{Cc}][^\p{Cc}]*$/u, 'is no command in one line')),
        )
        .check(
          z.describe(
            'Names for agents, each with its command, such as "fast": "claude --model haiku": for --agent, and for plans, which name agents and never commands.',
          ),
        ),
      {},
    ),
    target: z.optional(
      branchNameSchema.check(
        z.describe(
          'Branch into which coding teams’ work is merged. Without it, the one that was checked out when the team was onboarded.',
        ),
      ),
    ),
    telemetry: z.prefault(
      z
        .strictObject({
          enabled: z._default(
            z
              .boolean()
              .check(z.describe('Whether telemetry is emitted. FED_TELEMETRY_ENABLED overrides it.')),
            true,
          ),
          collector: z.prefault(
            z
              .strictObject({ endpoint: z._default(endpointSchema, 'http://localhost:18888') })
              .check(z.describe('Where telemetry goes.')),
            {},
          ),
        })
        .check(z.describe('Metrics and traces of what the teams do.')),
      {},
    ),
    chatConfig: z.optional(chatSchema),
    link: z.optional(linkSchema),
    playbookSkill: z._default(
      fileName(
        'Skill that teams follow, without .md: .fed/skills/<playbookSkill>.md in their workspaces.',
      ).check(
        z.refine((name) => !/\.md$/i.test(name), 'is given without .md'),
        z.refine((name) => !isShipped(name), 'is the name of another skill; give the playbook another'),
      ),
      'domain-playbook',
    ),
    deliverable: z._default(
      fileName(
        "File in a team's workspace that holds its result: Markdown, or JSON where it ends with .json.",
      ),
      'deliverable.md',
    ),
    deliverableSchema: z.optional(
      text(
        "JSON Schema file, seen from this file's folder, that deliverables must meet: the JSON itself, or the model of the Markdown that 'fed check --model' prints.",
      ),
    ),
    questionTimeout: z._default(
      z.string().check(
        z.regex(/^\d+(\.\d+)?(ms|s|m|h)$/, {
          error: 'is no duration such as 90s, 30m or 2h',
          abort: true,
        }),
        z.refine((time) => (readDuration(time) ?? Infinity) <= longestMs, 'is no time, or longer than 576h'),
        z.describe(
          'How long a team waits for the answer to a question that it asked, such as 30m; then meta tells it that there is none.',
        ),
      ),
      '30m',
    ),
    importHook: z.optional(
      text("TypeScript module with the federation's own hooks and archetypes, seen from this file's folder."),
    ),
    budget: z.optional(budgetsSchema),
    checks: z._default(checksSchema, []),
    setup: z.optional(setupSchema),
    confinement: z.prefault(confinementSchema, {}),
  })
  .check(z.describe('Configuration of a federation of agent teams.'))
/** The configuration with every default filled in. */
export type Config = z.infer<typeof configSchema>
/** A configuration as it is written. */
export type ConfigInput = z.input<typeof configSchema>
