import path from 'node:path'
import { federationLayout } from '../protocol/layout.ts'
import { disk } from '../storage/disk.ts'
import { resolveAgent } from '../sessions/agent-command.ts'
import { installedAgents } from '../sessions/known-agents.ts'
import type { Finding } from './finding.ts'
import type { Patient } from './patient.ts'
import { reasonOf } from './reason.ts'

/** Whether the configuration is valid, and what it names is there. */
export function configurationFindings({ root, config, configFault }: Patient): Finding[] {
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
  for (const field of ['deliverableSchema', 'importHook'] as const) {
    const file = config[field] === undefined ? undefined : path.resolve(root, config[field])
    if (file === undefined || disk.exists(file)) continue
    const message = `${field}: there is no file ${config[field]}`
    findings.push({ severity: 'warning', area, where, message, fix: 'write it, or correct the path' })
  }
  if (config.deliverableSchema !== undefined && findings.length === 0) {
    const file = path.resolve(root, config.deliverableSchema)
    try {
      JSON.parse(disk.read(file) ?? '')
    } catch (error) {
      const message = `deliverableSchema: ${reasonOf(error)}`
      findings.push({ severity: 'error', area, where: file, message, fix: 'correct it' })
    }
  }
  const isThere = disk.exists(where)
  if (findings.length > 0) return findings
  return [{ severity: 'ok', area, where, message: isThere ? 'valid' : 'none: everything is at its default' }]
}

/** Which agents there are, and whether the configured one can be started. */
export function agentFindings({ config, configFault }: Patient): Finding[] {
  const area = 'agents'
  const installed = installedAgents()
  const known = installed.length === 0 ? 'none of the known ones' : installed.join(', ')
  const found: Finding = { severity: 'ok', area, message: `on the PATH: ${known}` }
  if (configFault !== undefined) return [found]
  try {
    resolveAgent(config.agentCommand, '')
    return [found, { severity: 'ok', area, message: `agentCommand: ${config.agentCommand}` }]
  } catch (error) {
    const message = `agentCommand: ${reasonOf(error)}`
    return [
      found,
      { severity: 'error', area, message, fix: 'install it, or name another agent in federate.config.json' },
    ]
  }
}
