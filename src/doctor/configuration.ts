import path from 'node:path'
import { DeliverableSchemaError } from '../errors.ts'
import { federationLayout } from '../protocol/layout.ts'
import { disk } from '../storage/disk.ts'
import type { Finding } from './finding.ts'
import type { Patient } from './patient.ts'

/** Whether the configuration is valid, and what it names is there. */
export async function configurationFindings({ root, config, configFault }: Patient): Promise<Finding[]> {
  const area = 'configuration'
  const where = federationLayout(root).config
  if (configFault !== undefined) {
    return configFault.problems.map(({ path: field, message }) => ({
      severity: 'error',
      area,
      where: configFault.file,
      message: field === '' ? message : `${field}: ${message}`,
      fix: 'correct it; until then no other command works here',
    }))
  }
  const findings: Finding[] = []
  if (config.importHook !== undefined && !disk.exists(path.resolve(root, config.importHook))) {
    const message = `importHook: there is no file ${config.importHook}`
    findings.push({ severity: 'warning', area, where, message, fix: 'write it, or correct the path' })
  }
  if (config.deliverableSchema !== undefined)
    findings.push(...(await schemaFindings(root, config.deliverableSchema)))
  const isThere = disk.exists(where)
  if (findings.length > 0) return findings
  return [{ severity: 'ok', area, where, message: isThere ? 'valid' : 'none: everything is at its default' }]
}

/** Whether the schema for deliverables can be used: until then no deliverable is accepted. */
async function schemaFindings(root: string, configured: string): Promise<Finding[]> {
  const { openSchema } = await import('../deliverable/schema.ts')
  try {
    await openSchema(root, configured)
    return []
  } catch (error) {
    if (!(error instanceof DeliverableSchemaError)) throw error
    const { file, reason } = error
    const message = `deliverableSchema: ${reason}`
    const fix = 'correct it, or the path in federate.config.json; until then no deliverable is accepted'
    return [{ severity: 'error', area: 'configuration', where: file, message, fix }]
  }
}
