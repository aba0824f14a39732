import type * as z from 'zod/mini'
import type { ValidationProblem } from '../errors/document-errors.ts'
import { printable } from '../errors/printable.ts'

/** A problem by the keys of its field, in words that need no knowledge of schemas. */
interface KeyedProblem {
  readonly keys: readonly PropertyKey[]
  readonly message: string
}

/** As `problemsOf`. */
export function keyedProblemsOf(
  error: z.core.$ZodError,
  meant?: (path: string) => string | undefined,
): KeyedProblem[] {
  return error.issues.flatMap(withinUnion).flatMap((issue): KeyedProblem[] => {
    const { path: keys } = issue
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => {
        const known = meant?.(pathOf([...keys, key]))
        const hint = known === undefined ? '' : `; did you mean ${known}?`
        return { keys: [...keys, key], message: `there is no such field${hint}` }
      })
    }
    const message = issue.message.replace(/^Invalid input: /, '')
    return [{ keys, message: message.replace(/^.*received undefined$/, 'is missing') }]
  })
}

/** The names of fields come from outside as well. */
function pathOf(keys: readonly PropertyKey[]): string {
  return keys.map((key) => printable(String(key))).join('.')
}

/**
 * What a schema found wrong, a problem for each field, in words that need no knowledge of schemas.
 * @param meant names the field that was probably meant by an unknown one, from its dotted path.
 */
export function problemsOf(
  error: z.core.$ZodError,
  meant?: (path: string) => string | undefined,
): ValidationProblem[] {
  return keyedProblemsOf(error, meant).map(({ keys, message }) => ({ path: pathOf(keys), message }))
}

/** What is wrong by the alternative of a union that was probably meant: the one of which more is right. */
function withinUnion(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue]
  const depthOf = (issues: readonly z.core.$ZodIssue[]) => Math.max(...issues.map(({ path }) => path.length))
  const [nearest = [], next] = issue.errors.toSorted((one, other) => depthOf(other) - depthOf(one))
  if (next === undefined || depthOf(nearest) > depthOf(next))
    return nearest.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }))
  const wanted = issue.errors.flat().map(({ message }) => message.replace(/^Invalid input: /, ''))
  return [{ ...issue, message: wanted.join(', or ') }]
}

/** The same in one text, one problem a line unless told otherwise. */
export function describeProblems(error: z.core.$ZodError, separator = '\n'): string {
  return problemsOf(error)
    .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
    .join(separator)
}
