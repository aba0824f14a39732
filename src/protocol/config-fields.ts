import type * as z from 'zod/mini'
import { configSchema } from './config-schema.ts'
import { nearestName } from './nearest-name.ts'

/** What zod keeps of a schema: an object's fields, a list's element, or what an optional or defaulted one holds. */
interface Definition {
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>
  readonly element?: z.core.$ZodType
  readonly innerType?: z.core.$ZodType
}

interface FieldPath {
  readonly path: string
  readonly isGroup: boolean
  /** Whether it is a field of a list's elements: `*` stands for their number. */
  readonly isOfElement: boolean
}

function pathsOf(schema: z.core.$ZodType, path: string, isOfElement = false): FieldPath[] {
  const { shape, element, innerType } = schema._zod.def as Definition
  if (innerType !== undefined) return pathsOf(innerType, path, isOfElement)
  const own = path === '' ? [] : [{ path, isGroup: shape !== undefined, isOfElement }]
  const inner = Object.entries(shape ?? {}).flatMap(([key, field]) =>
    pathsOf(field, path === '' ? key : `${path}.${key}`, isOfElement),
  )
  const ofElement = element === undefined ? [] : pathsOf(element, `${path}.*`, true)
  return [...own, ...inner, ...ofElement]
}

/** Dotted paths of the fields of the configuration that hold a value, in the order of the specification. */
export function configFields(): string[] {
  return pathsOf(configSchema, '').flatMap(({ path, isGroup, isOfElement }) =>
    isGroup || isOfElement ? [] : [path],
  )
}

/** A function that names the field of a schema that was probably meant by one that does not exist, wherever it belongs. */
export function meantFieldOf(schema: z.core.$ZodType): (path: string) => string | undefined {
  return (path) => {
    // an element's number is no part of a field's name, and only such a path means an element's field
    const [number] = /(?<=\.)\d+(?=\.)/.exec(path) ?? []
    const known = pathsOf(schema, '').filter((field) =>
      number === undefined ? !field.isOfElement : !field.path.endsWith('*'),
    )
    const meant = nearestName(
      number === undefined ? path : path.replace(`.${number}.`, '.*.'),
      known.map((field) => field.path),
    )
    return meant?.replace('*', number ?? '*')
  }
}

/** The same for the configuration. */
export const meantField = meantFieldOf(configSchema)
