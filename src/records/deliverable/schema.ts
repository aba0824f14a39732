import { realpathSync } from 'node:fs'
import path from 'node:path'
import type { Ajv, AnySchema, ErrorObject, ValidateFunction } from 'ajv'
import { DeliverableSchemaError } from '../../errors/document-errors.ts'
import { printable } from '../../errors/printable.ts'
import { isDeeperThan, parseStrictJson } from '../../protocol/strict-json.ts'
import { readOutside } from '../../platform/storage/outside-file.ts'
import { describeViolation, type Violation } from './schema-violation.ts'

/** A schema is some kilobytes; what is larger is something else. */
const largestBytes = 4_194_304
/** Nobody writes a schema nested deeper by hand. */
const deepest = 500

/** Nobody corrects more at once. */
const mostViolations = 1000

/** A deliverable's JSON Schema, ready to validate. */
export interface DeliverableSchema {
  /** Absolute path of its file. */
  readonly file: string
  /** Every violation, in the order of the schema; none when the document is valid. */
  violations(document: unknown): Violation[]
}

/** The drafts that are known, by `$schema` without its protocol and its empty fragment. */
const drafts: Readonly<Record<string, (options: object) => Promise<Ajv>>> = {
  'json-schema.org/draft-07/schema': async (options) => new (await import('ajv')).Ajv(options),
  'json-schema.org/draft/2019-09/schema': async (options) =>
    new (await import('ajv/dist/2019.js')).Ajv2019(options),
  'json-schema.org/draft/2020-12/schema': async (options) =>
    new (await import('ajv/dist/2020.js')).Ajv2020(options),
}
const newest = 'https://json-schema.org/draft/2020-12/schema'

/**
 * Reads and compiles the schema that `deliverableSchema` names (spec §2.3), seen from the federation's root. Without
 * a `$schema` it is of the newest draft. Nothing but this file is read, and no network is asked.
 * @throws {DeliverableSchemaError} in one line: missing, outside of the federation, not JSON, of an unknown draft,
 * no valid schema, or one that refers to another.
 */
export async function openSchema(root: string, configured: string): Promise<DeliverableSchema> {
  const file = path.resolve(root, configured)
  const fail = (reason: string, cause?: unknown) => new DeliverableSchemaError(file, reason, cause)
  const schema = readSchema(root, file, fail)
  const ajv = await ajvFor(schema, fail)
  const validate = compile(ajv, schema, fail)
  return {
    file,
    violations(document) {
      if (validate(document)) return []
      const errors = withoutTrials(validate.errors ?? [])
      const violations = errors.slice(0, mostViolations).map(describeViolation)
      const rest = errors.length - violations.length
      return rest > 0 ? [...violations, { path: [], message: `has ${rest} violations more` }] : violations
    },
  }
}

type Fail = (reason: string, cause?: unknown) => DeliverableSchemaError

function readSchema(root: string, file: string, fail: Fail): AnySchema {
  const outside = readOutside(file, { largestBytes, followLinks: true })
  if (outside.kind === 'missing') throw fail('there is no such file')
  if (outside.kind === 'fault') throw fail(outside.fault)
  const relative = path.relative(realpathSync(root), realpathSync(file))
  if (relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative))
    throw fail('it lies outside of the federation')
  const schema = parse(outside.text, fail)
  // `true` takes any document, `false` none
  if (typeof schema === 'boolean') return schema
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    throw fail('a schema is a JSON object, true or false')
  if (isDeeperThan(deepest, schema)) throw fail(`nested deeper than ${deepest} levels`)
  return schema as AnySchema
}

function parse(text: string, fail: Fail): unknown {
  try {
    return parseStrictJson(text)
  } catch (error) {
    throw fail((error as Error).message, error)
  }
}

async function ajvFor(schema: AnySchema, fail: Fail): Promise<Ajv> {
  const { $schema: named = newest } = typeof schema === 'boolean' ? {} : schema
  const draft = String(named)
    .replace(/^https?:\/\//, '')
    .replace(/#$/, '')
  if (!Object.hasOwn(drafts, draft)) {
    throw fail(
      `'${printable(String(named))}' is no known draft; $schema may name draft-07, 2019-09 or 2020-12`,
    )
  }
  const { default: formats } = await import('ajv-formats')
  // unknown keywords are annotations, as the drafts say; nothing of ajv's is printed
  const ajv = await (drafts[draft] as (typeof drafts)[string])({
    allErrors: true,
    verbose: true,
    strict: false,
    logger: false,
  })
  formats.default(ajv)
  return ajv
}

function compile(ajv: Ajv, schema: AnySchema, fail: Fail): ValidateFunction {
  try {
    if (ajv.validateSchema(schema) !== true) {
      const problems = withoutTrials(ajv.errors ?? []).map(describeViolation)
      const told = problems.map(({ path: at, message }) => `/${at.join('/')} ${message}`)
      throw fail(`it is no valid schema: ${[...new Set(told)].slice(0, 3).join('; ')}`)
    }
    const validate = ajv.compile(schema)
    // its answer would be a promise, which is never false
    if ('$async' in validate) throw fail('$async is of no draft; remove it')
    return validate
  } catch (error) {
    if (error instanceof DeliverableSchemaError) throw error
    if (error instanceof Error && 'missingRef' in error) {
      throw fail(
        `'${printable(String(error.missingRef))}' is not in this file; a $ref reaches no other file and no network`,
        error,
      )
    }
    throw fail(
      `it is no valid schema: ${printable(error instanceof Error ? error.message : String(error))}`,
      error,
    )
  }
}

/**
 * What to correct: not that something inside of a condition is wrong, which is told by itself, nor why each item of
 * a list is not the one that it must contain.
 */
function withoutTrials(errors: readonly ErrorObject[]): ErrorObject[] {
  const contains = errors.flatMap(({ keyword, schemaPath }) =>
    keyword === 'contains' ? [`${schemaPath}/`] : [],
  )
  return errors.filter(
    ({ keyword, schemaPath }) =>
      keyword !== 'if' && !contains.some((trials) => schemaPath.startsWith(trials)),
  )
}
