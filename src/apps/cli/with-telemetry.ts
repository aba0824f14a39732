import type { Exportable } from '../../telemetry/exporter.ts'
import type { CommonOptions } from './declare-command.ts'
import { note } from './output.ts'

/** Does a command's work while telemetry is exported beside it (spec §6), and at its end for a short time. */
export async function withTelemetry<Result>(
  federation: Exportable,
  options: CommonOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  const { openTelemetry } = await import('../../telemetry/open-telemetry.ts')
  const telemetry = openTelemetry(federation, (line) => note(options, line))
  try {
    return await work()
  } finally {
    await telemetry.close()
  }
}
