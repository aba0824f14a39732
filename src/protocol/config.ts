import * as z from 'zod/mini'

/** The agent that ships with fed; everything works on a fresh machine with no account. */
export const EMBEDDED_AGENT = 'fed-agent'

const text = z.string().check(z.minLength(1, 'is empty'))

const fileName = z
  .string()
  .check(
    z.refine(
      (name) => /^[^/\\\0.][^/\\\0]*$/.test(name),
      'must be a file name without a path, and not begin with a dot',
    ),
  )

/** Content of `federate.config.json`: all fields are optional (spec §2.3). */
export const configSchema = z.strictObject({
  $schema: z.optional(z.string()),
  description: z.optional(z.string()),
  federationName: z.optional(text),
  agentCommand: z._default(z.string().check(z.regex(/\S/, 'is empty')), EMBEDDED_AGENT),
  telemetry: z.prefault(
    z.strictObject({
      enabled: z._default(z.boolean(), true),
      collector: z.prefault(
        z.strictObject({ endpoint: z._default(z.url('is not a URL'), 'http://localhost:18888') }),
        {},
      ),
    }),
    {},
  ),
  chatConfig: z.optional(
    z.strictObject({
      teamId: z.guid('is not a GUID'),
      channelId: z.string().check(z.regex(/^19:.+@thread\.tacv2$/, 'has not the shape 19:…@thread.tacv2')),
    }),
  ),
  playbookSkill: z._default(fileName, 'domain-playbook'),
  deliverable: z._default(fileName, 'deliverable.md'),
  deliverableSchema: z.optional(text),
  importHook: z.optional(text),
})
/** The configuration with every default filled in. */
export type Config = z.infer<typeof configSchema>
