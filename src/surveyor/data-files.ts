import { parse as parseWithComments, type ParseError } from 'jsonc-parser'
import { parse, TomlError } from 'smol-toml'
import { unless } from '../errors/unless.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Parses JSON as people write it in configurations, with comments and trailing commas. A file that does not
 * parse is undefined: a survey reads what others wrote and must not fail on it.
 */
export function parseJson(text: string): unknown {
  const errors: ParseError[] = []
  const value: unknown = unless(RangeError, () =>
    parseWithComments(text.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: true }),
  )
  return errors.length === 0 ? value : undefined
}

/** The tables of a TOML file; one that does not parse has none. */
export const parseToml = (text: string): Fields =>
  unless([TomlError, RangeError], () => parse(text.replace(/^\uFEFF/, ''))) ?? {}

/** The fields of an object, none of anything else. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

/** A text, or undefined where it is something else. */
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** The texts of a list, none of anything else. */
export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
