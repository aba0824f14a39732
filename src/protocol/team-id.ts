import * as z from 'zod/mini'
import { InvalidNameError } from '../errors/team-errors.ts'

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

/** What people may call a team: nothing that a shell, a path or a terminal takes for something else. */
const nameShape = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} &'’()+._#!-]*$/u

/**
 * The id of a team that people call so (spec §2.4): `API Docs` becomes `api-docs`; an id stays as it is.
 * @throws {InvalidNameError} when the name is none, when a letter of it has no place in an id, or as `assertTeamId`.
 */
export function teamIdOf(name: string): string {
  const called = name.trim()
  if (faultOf(called) === undefined) return called
  if (!nameShape.test(called) || called.length > maxLength)
    throw new InvalidNameError(
      name,
      called.length > maxLength
        ? `it is longer than ${maxLength} characters`
        : "use words of a-z and 0-9 joined by '-', such as 'api-docs', or a name such as 'API Docs' of which they are made",
    )
  const plain = called
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
  const [foreign] = /[^\p{P}\p{S}\p{Z}a-z0-9]/u.exec(plain) ?? []
  if (foreign !== undefined)
    throw new InvalidNameError(name, `'${foreign}' has no place in an id, which is made of a-z and 0-9`)
  return assertTeamId((plain.match(/[a-z0-9]+/g) ?? []).join('-'))
}

export const teamIdSchema = z.string().check(z.refine((id) => faultOf(id) === undefined, 'is not a team id'))

/** Who can send or receive: a team, or `meta`. */
export const addressSchema = z
  .string()
  .check(z.refine((id) => id === META || faultOf(id) === undefined, 'is neither a team id nor meta'))
