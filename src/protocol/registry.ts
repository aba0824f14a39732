import path from 'node:path'
import * as z from 'zod/mini'
import { teamIdSchema } from './team-id.ts'
import { timestampSchema } from './time.ts'

export const placementTypes = ['worktree', 'directory'] as const
export type PlacementType = (typeof placementTypes)[number]

const registryStatuses = ['active', 'paused', 'archived'] as const
export type RegistryStatus = (typeof registryStatuses)[number]

/** One registered team; fields that this version does not know survive a rewrite (spec §2.4). */
const registryEntrySchema = z.looseObject({
  domain: z.string().check(z.minLength(1)),
  domainId: teamIdSchema,
  archetypeId: z.string().check(z.minLength(1)),
  placementType: z.enum(placementTypes),
  onboardedAt: timestampSchema,
  location: z.string().check(z.refine((location) => path.isAbsolute(location), 'is not an absolute path')),
  status: z.optional(z.enum(registryStatuses)),
  lastActive: z.optional(timestampSchema),
})
export type RegistryEntry = z.infer<typeof registryEntrySchema>

/** Content of `.fed/team-registry.json` (spec §2.4). */
export const registrySchema = z.looseObject({
  lastUpdated: timestampSchema,
  lockVersion: z.int('is not an integer').check(z.minimum(0)),
  teams: z.array(registryEntrySchema),
})
export type Registry = z.infer<typeof registrySchema>
