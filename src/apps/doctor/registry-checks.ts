import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { unless } from '../../errors/unless.ts'
import { FedError } from '../../errors/fed-error.ts'
import { NewerFormatError } from '../../errors/newer-format.ts'
import { UntrustedError } from '../../errors/untrusted-error.ts'
import { federationLayout, workspaceLayout } from '../../protocol/folder-layout.ts'
import type { RegistryEntry } from '../../protocol/registry-schema.ts'
import { createOnce, disk } from '../../platform/storage/disk.ts'
import { placements } from '../../federation/placement.ts'
import { identityText, readIdentity, type Identity } from '../../federation/identity.ts'
import { documentFindings } from '../../monitor/diagnosis/document-findings.ts'
import { newerFinding, reasonOf, type Found } from '../../monitor/diagnosis/finding.ts'
import { isInTheWay, putAside } from '../../monitor/diagnosis/kept-aside.ts'
import { actorOf, isDamage, type View } from '../../monitor/diagnosis/view.ts'

/** Whether the registry can be read, and its versions say the same. */
export function registryFindings({ root, registryDocument }: View): Found[] {
  const where = federationLayout(root).registry
  const findings = documentFindings(registryDocument, 100)
  if (findings.length > 0) return findings
  const registry = registryDocument.read()?.content
  if (registry === undefined) {
    const message = 'there is none: nothing was set up here yet'
    return [{ severity: 'note', where, message, fix: "'fed init' or 'fed run' sets it up" }]
  }
  return [{ severity: 'ok', where, message: `whole, at lockVersion ${registry.lockVersion}` }]
}

/** Whether each registered team has its workspace, and the workspace says the same as the registry. */
export function teamFindings(view: View): Found[] {
  const problems = view.registered.flatMap((entry) => oneTeam(view, entry))
  const { length } = view.registered
  if (problems.length > 0 || length === 0) return problems
  const message = length === 1 ? '1 team, with its workspace' : `${length} teams, each with its workspace`
  return [{ severity: 'ok', message }]
}

function oneTeam(view: View, entry: RegistryEntry): Found[] {
  const { domainId, archetypeId, location, placementType } = entry
  const { ids } = view.archetypes
  if (!ids.includes(archetypeId)) {
    const message = `${domainId}: no archetype '${archetypeId}'; there are ${ids.join(', ')}`
    if (view.hookFault instanceof UntrustedError) {
      const unknown = `${domainId}: its archetype '${archetypeId}' is unknown: ${view.hookFault.what}`
      return [{ severity: 'warning', message: unknown, fix: "'fed trust' shows and allows it" }]
    }
    const fix = view.hookFault === undefined ? 'correct it' : 'put importHook right first: it may be there'
    return [{ severity: 'error', where: federationLayout(view.root).registry, message, fix }]
  }
  if (!existsSync(location)) {
    const fix = `put the folder back from a copy, or 'fed offboard ${domainId}' takes the team out and keeps its commits`
    return [{ severity: 'error', where: location, message: `${domainId}: its workspace is missing`, fix }]
  }
  if (!view.entries.includes(entry)) {
    const { workspace } = placements[placementType](view.root, domainId)
    const message = `${domainId}: the registry says that it lives here, and not in ${workspace}, where fed put it; nothing was examined or repaired here`
    const fix = `correct 'location' in ${federationLayout(view.root).registry}, or put the team's folder back in its place`
    return [{ severity: 'error', where: location, message, fix }]
  }
  return identityFindings(view, entry)
}

function identityFindings(view: View, entry: RegistryEntry): Found[] {
  const { domainId: team, archetypeId: archetype, location } = entry
  const where = workspaceLayout(location).identity
  const meant: Identity = { team, archetype, root: view.root }
  const rewrite = isLifecycleOf(view, entry)
    ? {
        fix: 'registry and lifecycle say what it must be: it can be written anew',
        repair: () => writeIdentity(where, meant),
      }
    : { fix: 'put it back from a copy' }
  let identity: Identity | undefined
  try {
    identity = readIdentity(location)
  } catch (error) {
    if (error instanceof NewerFormatError) return [newerFinding(error, `${team}: `)]
    if (!isDamage(error)) throw error
    const message = `${team}: it is damaged: ${reasonOf(error)}`
    return [{ severity: 'error', where, message, ...rewrite }]
  }
  if (identity === undefined)
    return [{ severity: 'error', where, message: `${team}: it is missing`, ...rewrite }]
  const fields =
    view.home.kind === 'here' ? (['team', 'archetype', 'root'] as const) : (['team', 'archetype'] as const)
  const wrong = fields.filter((field) =>
    field === 'root' ? realPath(identity.root) !== realPath(meant.root) : identity[field] !== meant[field],
  )
  return wrong.map((field) => ({
    severity: 'error',
    where,
    message: `${team}: ${field} is '${identity[field]}', but it is registered with '${meant[field]}'`,
    fix: 'find out which of the two is right, and put the other back from a copy',
  }))
}

/** A path with links followed, since several may lead to one federation; as it is where nothing is there. */
function realPath(dir: string): string {
  return existsSync(dir) ? realpathSync(dir) : dir
}

/** Whether the lifecycle in the workspace is that of the team that is registered there. */
function isLifecycleOf(view: View, entry: RegistryEntry): boolean {
  return (
    unless(FedError, () => {
      const head = actorOf(view, entry).lifecycle.read()?.content
      return head?.team === entry.domainId && head.archetype === entry.archetypeId
    }) ?? false
  )
}

function writeIdentity(file: string, identity: Identity): string | undefined {
  // also a link that leads nowhere is in the way
  const kept = isInTheWay(file) ? `; the damaged one is kept as ${putAside(file)}` : ''
  const isWritten = createOnce(file, identityText(identity))
  disk.syncDirectory(path.dirname(file))
  // somebody else wrote it at this moment
  return isWritten ? `written anew${kept}` : undefined
}
