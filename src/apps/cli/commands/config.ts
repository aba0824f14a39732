import type { Command } from 'commander'
import { declare, type CommonOptions } from '../declare-command.ts'
import { print, table } from '../output.ts'
import { startingFolder } from '../scope.ts'

export function registerConfig(program: Command): void {
  declare(
    program,
    'config',
    'Show every setting as it applies, and where it came from',
    'fed config --json',
  ).action(async (options: CommonOptions) => {
    const [{ findRoot }, { readConfig }, { effectiveConfig }] = await Promise.all([
      import('../../../federation/root.ts'),
      import('../../../records/config/load-config.ts'),
      import('../../../records/config/effective-config.ts'),
    ])
    const reading = readConfig(findRoot(startingFolder(options)).root)
    const { file, given } = reading
    const fields = effectiveConfig(reading)
    print(options, { file, exists: given !== undefined, fields }, () =>
      [
        given === undefined ? `${file} does not exist: everything is at its default` : file,
        table(fields.map(({ field, value, source }) => [field, shown(value), source])),
      ].join('\n'),
    )
  })
}

function shown(value: unknown): string {
  if (!Array.isArray(value)) return value === null ? '(none)' : String(value)
  return value.length === 0 ? '(none)' : value.map(element).join(', ')
}

/** Of a list's elements only checks are more than a word. */
function element(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  const { name, run, timeout } = value as { name: string; run: string; timeout: string }
  return `${name}: ${run} (${timeout})`
}
