import path from 'node:path'
import { NotFoundError } from '../errors/fed-error.ts'
import type { Federation } from '../federation/federation.ts'
import { builtIn } from '../federation/catalogue.ts'
import { knownToPlans } from '../federation/known-to-plans.ts'
import { onboard } from '../federation/onboarding/onboard-team.ts'
import { replaceFile, WRITABLE } from '../platform/storage/disk.ts'
import { makeFolders, remove } from '../platform/storage/without-links.ts'
import { versionsDirectory } from '../platform/storage/versioned-steps.ts'
import { placeOfAbsent, workspaceLayout } from '../protocol/folder-layout.ts'
import type { RegistryEntry } from '../protocol/registry-schema.ts'
import { branchTip, bringBranch, putOnCommit } from './branches.ts'
import { beginBringing, bringMail } from './bring-mail.ts'
import type { Link } from './connection.ts'
import { fetchFile } from './files.ts'
import { unpack } from './parcel.ts'
import { lineOf } from './read-stream.ts'
import type { View } from './line-view.ts'

/**
 * Has a team go on here whose line says that it lives here: its life as the servers accepted it, its document, its
 * branch as far as the sites' git remote has it, and the signals that were sent to it. Again it changes nothing.
 * @returns what could not be brought, in words.
 * @throws {LinkDownError}; {NotFoundError} where the servers do not have its life.
 */
export async function adopt(federation: Federation, link: Link, view: View, id: string): Promise<string[]> {
  const known = view.own(id)
  const { entry } = known ?? {}
  if (known === undefined || entry === undefined) throw new NotFoundError(`${id} does not live here`)
  const { root, registry } = federation
  const versions = await versionsOf(link, id)
  // one that only took a task has no life yet
  const isNew = known.version === 0 && versions.length === 0
  if (!isNew && versions.at(-1)?.number !== known.version)
    throw new NotFoundError(`the servers do not have the life of ${id} up to version ${known.version}`)
  const parcel = known.parcel === undefined ? undefined : await fetchFile(link, known.parcel)
  const document = known.document && (await fetchFile(link, known.document.digest))
  const missing: string[] = []
  const isCode = entry['placementType'] === 'worktree'
  const tip = isCode ? bringBranch(root, link.record.remote, id, missing) : undefined
  const archetype = await federation.archetype(String(entry['archetypeId']))
  const { agent, ...rest } = { ...entry, location: placeOfAbsent(root, id) } as RegistryEntry
  const isKnown =
    agent !== undefined && knownToPlans(builtIn, federation.config.agents).agents.includes(agent)
  // a command of another site is run by nobody here
  const wanted: RegistryEntry = isKnown ? { ...rest, agent } : rest
  if (agent !== undefined && !isKnown)
    missing.push(`its agent is no known one here; 'fed launch --team ${id} --agent <name>' chooses another`)
  const lay = (workspace: string) => {
    if (tip !== undefined) putOnCommit(workspace, tip)
    if (parcel !== undefined) unpack(parcel, workspace, isCode ? federation.config.deliverable : undefined)
    else if (known.document !== undefined && document !== undefined)
      layFile(workspace, known.document.name, document)
  }
  beginBringing(root, id)
  onboard(root, registry, {
    domain: wanted.domain,
    archetype,
    placement: wanted.placementType,
    coordinator: wanted.coordinator,
    agent: wanted.agent,
    ...(!isNew && { adopted: { entry: wanted, versions, lay } }),
  })
  federation.forget(id)
  // what stood for it while it was away; mail that waits there is delivered by the next pass
  const { lifecycle } = workspaceLayout(placeOfAbsent(root, id))
  remove(versionsDirectory(lifecycle))
  remove(lifecycle)
  await bringMail(federation, link, view, id)
  if (isCode && tip === undefined && branchTip(root, id) === undefined)
    missing.push(`${id} has no branch here`)
  return missing
}

function layFile(workspace: string, name: string, bytes: Uint8Array): void {
  const aside = path.join(workspace, '.fed')
  makeFolders(aside)
  replaceFile(path.join(workspace, name), Buffer.from(bytes).toString('utf8'), aside, { mode: WRITABLE })
}

/** The versions of a team's life, ascending, each once. */
async function versionsOf(
  link: Link,
  id: string,
): Promise<{ readonly number: number; readonly text: string }[]> {
  const texts = new Map<number, string>()
  for (const { entry } of await lineOf(link, id)) {
    const { version, life, lifeFile } = entry
    if (life !== undefined) texts.set(version, life)
    else if (lifeFile !== undefined) {
      const bytes = await fetchFile(link, lifeFile)
      if (bytes !== undefined) texts.set(version, Buffer.from(bytes).toString('utf8'))
    }
  }
  return [...texts]
    .map(([number, text]) => ({ number, text }))
    .toSorted((one, other) => one.number - other.number)
}
