import * as z from 'zod'

/** The agent that ships with fed; everything works on a fresh machine with no account (design §7). */
export const EMBEDDED_AGENT = 'fed-agent'

const fileName = z
  .string()
  .min(1)
  .refine(
    (name) => !/[/\\\0]/.test(name) && name !== '.' && name !== '..',
    'must be a file name without a path',
  )

/** Content of `federate.config.json`: all fields are optional (spec §2.3). */
export const configSchema = z.strictObject({
  $schema: z.string().optional(),
  description: z.string().optional(),
  federationName: z.string().min(1).optional(),
  agentCommand: z.string().trim().min(1).default(EMBEDDED_AGENT),
  telemetry: z
    .strictObject({
      enabled: z.boolean().default(true),
      collector: z.strictObject({ endpoint: z.url().default('http://localhost:18888') }).prefault({}),
    })
    .prefault({}),
  chatConfig: z.strictObject({ teamId: z.guid('is not a GUID'), channelId: z.string().min(1) }).optional(),
  playbookSkill: fileName.default('domain-playbook'),
  deliverable: fileName.default('deliverable.md'),
  deliverableSchema: z.string().min(1).optional(),
  importHook: z.string().min(1).optional(),
})
/** The configuration with every default filled in. */
export type Config = z.infer<typeof configSchema>
