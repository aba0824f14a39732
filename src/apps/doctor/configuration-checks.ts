import { DeliverableSchemaError, HookError } from '../../errors/document-errors.ts'
import { unless } from '../../errors/unless.ts'
import { UntrustedError } from '../../errors/untrusted-error.ts'
import { whyUntrusted } from '../../federation/trust/allowed-parts.ts'
import { parts } from '../../federation/trust/what-runs.ts'
import type { Config } from '../../protocol/config-schema.ts'
import { federationLayout } from '../../protocol/folder-layout.ts'
import { disk } from '../../platform/storage/disk.ts'
import { unlessNewer, type Found } from '../../monitor/diagnosis/finding.ts'
import type { View } from '../../monitor/diagnosis/view.ts'

/** Whether the configuration is valid, and what it names is there. */
export async function configurationFindings({
  root,
  config,
  configFault,
  hookFault,
}: View): Promise<Found[]> {
  const where = federationLayout(root).config
  if (configFault !== undefined) {
    return configFault.problems.map(({ path: field, message }) => ({
      severity: 'error',
      where: configFault.file,
      message: field === '' ? message : `${field}: ${message}`,
      fix: 'correct it; until then no other command works here',
    }))
  }
  const findings = trustFindings(root, config)
  if (config.importHook !== undefined)
    findings.push(...(await hookFindings(root, config.importHook, hookFault)))
  if (config.deliverableSchema !== undefined)
    findings.push(...(await schemaFindings(root, config.deliverableSchema)))
  const isThere = disk.exists(where)
  if (findings.length > 0) return findings
  return [{ severity: 'ok', where, message: isThere ? 'valid' : 'none: everything is at its default' }]
}

/** What does not run because nobody allowed it. */
function trustFindings(root: string, config: Config): Found[] {
  return parts.flatMap((part) => {
    // a hook whose files cannot be told is told by its own finding
    const why = unless(HookError, () => whyUntrusted(root, part, config))
    return why === undefined
      ? []
      : [{ severity: 'warning', message: why.what, fix: "'fed trust' shows and allows it" }]
  })
}

/** Whether the hook can be used, and what it did wrong since it was changed last. */
async function hookFindings(
  root: string,
  configured: string,
  hookFault: View['hookFault'],
): Promise<Found[]> {
  if (hookFault instanceof UntrustedError) return []
  if (hookFault !== undefined) {
    return hookFault.problems.map(({ message, file = hookFault.file, line }) => ({
      severity: 'error',
      where: line === undefined ? file : `${file}:${line}`,
      message: `importHook: ${message}`,
      fix: 'correct it, or the path in federate.config.json; until then its archetypes cannot be used',
    }))
  }
  const [{ faultsOf }, { hookFile }] = await Promise.all([
    import('../../federation/hooks/faults.ts'),
    import('../../federation/hooks/hook-file.ts'),
  ])
  return unlessNewer(() =>
    faultsOf(root, hookFile(root, configured)).map(({ at, function: name, file, line, message, team }) => ({
      severity: 'warning',
      where: line === undefined ? file : `${file}:${line}`,
      message: `importHook: ${name} failed at ${at}${team === undefined ? '' : `, for ${team}`}: ${message}`,
      fix: 'correct it; nothing was stopped by it, and a change of the module takes this away',
    })),
  )
}

/** Whether the schema for deliverables can be used: until then no deliverable is accepted. */
async function schemaFindings(root: string, configured: string): Promise<Found[]> {
  const { openSchema } = await import('../../records/deliverable/schema.ts')
  try {
    await openSchema(root, configured)
    return []
  } catch (error) {
    if (!(error instanceof DeliverableSchemaError)) throw error
    const { file, reason } = error
    const message = `deliverableSchema: ${reason}`
    const fix = 'correct it, or the path in federate.config.json; until then no deliverable is accepted'
    return [{ severity: 'error', where: file, message, fix }]
  }
}
