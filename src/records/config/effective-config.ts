import { configFields } from '../../protocol/config-fields.ts'
import { withoutPassword } from '../../protocol/shown-url.ts'
import type { ConfigReading } from './load-config.ts'

/** One setting as it applies. */
export interface EffectiveField {
  /** Dotted path. */
  readonly field: string
  /** Null where nothing is set and there is no default. */
  readonly value: unknown
  /** `default`, `file`, or the environment variable that says so. */
  readonly source: string
}

/** Every setting with its value and where that came from (spec §2.3, §9), without passwords of endpoints. */
export function effectiveConfig({ config, given, overridden }: ConfigReading): EffectiveField[] {
  // $schema speaks to editors only
  const fields = configFields().filter((field) => field !== '$schema')
  return fields.map((field) => ({
    field,
    value: shown(at(config, field)),
    source: overridden.get(field) ?? (at(given, field) === undefined ? 'default' : 'file'),
  }))
}

function at(document: unknown, field: string): unknown {
  return field
    .split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document)
}

function shown(value: unknown): unknown {
  return typeof value === 'string' ? withoutPassword(value) : (value ?? null)
}
