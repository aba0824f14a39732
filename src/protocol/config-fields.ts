import type * as z from 'zod/mini'
import { configSchema } from './config.ts'
import { nearestName } from './nearest-name.ts'

/** What zod keeps of a schema: an object's fields, or what an optional or defaulted one holds. */
interface Definition {
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>
  readonly innerType?: z.core.$ZodType
}

function pathsOf(
  schema: z.core.$ZodType,
  path: string,
): { readonly path: string; readonly isGroup: boolean }[] {
  const { shape, innerType } = schema._zod.def as Definition
  if (innerType !== undefined) return pathsOf(innerType, path)
  const own = path === '' ? [] : [{ path, isGroup: shape !== undefined }]
  const inner = Object.entries(shape ?? {}).flatMap(([key, field]) =>
    pathsOf(field, path === '' ? key : `${path}.${key}`),
  )
  return [...own, ...inner]
}

/** Dotted paths of the fields of the configuration that hold a value, in the order of the specification. */
export function configFields(): string[] {
  return pathsOf(configSchema, '').flatMap(({ path, isGroup }) => (isGroup ? [] : [path]))
}

/** The field that was probably meant by one that does not exist, wherever it belongs. */
export function meantField(path: string): string | undefined {
  return nearestName(
    path,
    pathsOf(configSchema, '').map((field) => field.path),
  )
}
