import * as z from 'zod/mini'
import { InvalidNameError } from '../errors.ts'

/** The meta coordinator's address: a sender and recipient, never a team (spec §1). */
export const META = 'meta'

const maxLength = 64
const shape = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

function faultOf(id: string): string | undefined {
  if (id === META) return `'meta' is the coordinator's own address`
  if (id.length > maxLength) return `it is longer than ${maxLength} characters`
  if (!shape.test(id)) return `use words of a-z and 0-9 joined by '-', such as 'docs' or 'api-docs'`
  return undefined
}

/**
 * Checks a name before it becomes a path.
 * @throws {InvalidNameError} when it is not `[a-z0-9]` words joined by `-`, at most 64 characters, or is `meta`.
 */
export function assertTeamId(id: string): string {
  const fault = faultOf(id)
  if (fault !== undefined) throw new InvalidNameError(id, fault)
  return id
}

export const teamIdSchema = z.string().check(z.refine((id) => faultOf(id) === undefined, 'is not a team id'))

/** Who can send or receive: a team, or `meta`. */
export const addressSchema = z
  .string()
  .check(z.refine((id) => id === META || faultOf(id) === undefined, 'is neither a team id nor meta'))
