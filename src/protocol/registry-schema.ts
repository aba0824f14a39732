import path from 'node:path'
import * as z from 'zod/mini'
import { branchNameSchema } from './branch-name.ts'
import { isDeeperThan } from './strict-json.ts'
import { teamIdSchema } from './team-id.ts'
import { timestampSchema } from './time.ts'
import { wrong } from './zod-messages.ts'

export const placementTypes = ['worktree', 'directory'] as const
export type PlacementType = (typeof placementTypes)[number]

const registryStatuses = ['active', 'paused', 'archived'] as const
export type RegistryStatus = (typeof registryStatuses)[number]

/** One registered team; fields that this version does not know survive a rewrite (spec §2.4). */
export const registryEntrySchema = z.looseObject({
  /** The name that people use for the team, such as `API Docs`; commands accept it in place of the id. */
  domain: z.string().check(z.minLength(1)),
  /** The team's id, such as `api-docs`, which its folder, branch and signals use; it never changes. */
  domainId: teamIdSchema,
  archetypeId: z.string().check(z.minLength(1)),
  placementType: z.enum(placementTypes),
  onboardedAt: timestampSchema,
  location: z.string().check(z.refine((location) => path.isAbsolute(location), 'is not an absolute path')),
  status: z.optional(z.enum(registryStatuses)),
  lastActive: z.optional(timestampSchema),
  /** Agent that works for this team, by its name or as a command; without it the configured one. */
  agent: z.optional(
    z.string().check(z.regex(/^[^\p{Cc}]*[^\s\p{Cc}][^\p{Cc}]*$/u, 'is no command in one line')),
  ),
  /** The team that coordinates this one: its directives count here as those of `meta`. */
  coordinator: z.optional(teamIdSchema),
  /** What the goal of this coordinator may use up, all its teams together, such as `20usd`. */
  budget: z.optional(z.string()),
  /** Branch into which the team's work is to be merged, where one was named for it. */
  into: z.optional(branchNameSchema),
  /** Branch that the root had checked out when the team was onboarded; only for teams in a worktree. */
  onboardedOn: z.optional(branchNameSchema),
})
export type RegistryEntry = z.infer<typeof registryEntrySchema>

/** Largest version that is accepted: each write adds one, and `MAX_SAFE_INTEGER` must not be reached. */
const highestLockVersion = Number.MAX_SAFE_INTEGER - 1_000_000

/** Most levels of nesting: unknown fields are written back, and `JSON.stringify` fails on too many levels. */
const deepest = 100

/** Content of `.fed/team-registry.json` (spec §2.4). */
export const registrySchema = z
  .looseObject({
    lastUpdated: timestampSchema,
    lockVersion: z
      .int(wrong('is not an integer'))
      .check(z.minimum(0, 'is negative'), z.maximum(highestLockVersion, 'is too large to count on from')),
    teams: z.array(registryEntrySchema).check((payload) => {
      const seen = new Set<string>()
      for (const [index, { domainId }] of payload.value.entries()) {
        if (seen.has(domainId)) {
          const message = `'${domainId}' is another team's already`
          payload.issues.push({
            code: 'custom',
            input: payload.value,
            path: [index, 'domainId'],
            message,
          })
        }
        seen.add(domainId)
      }
    }),
  })
  .check(z.refine((registry) => !isDeeperThan(deepest, registry), `is nested deeper than ${deepest} levels`))
export type Registry = z.infer<typeof registrySchema>
