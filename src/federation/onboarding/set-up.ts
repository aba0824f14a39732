import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { succeedsUnless, unless } from '../../errors/unless.ts'
import { FederationNotFoundError } from '../../errors/team-errors.ts'
import { assertAtHome, isSameFolder } from '../federation-home.ts'
import { noteRecord, readRecord, replaceRecord } from '../federation-record.ts'
import { findRoot } from '../root.ts'
import { allowConfigured } from '../trust/allowed-parts.ts'
import { excludeFile, repositoryRoot } from '../../platform/git/git.ts'
import { WRITABLE, createOnce, disk } from '../../platform/storage/disk.ts'
import { FolderFaultError, folderFault } from '../../platform/storage/folder-fault.ts'
import { assertUsableDisk } from '../../platform/storage/hard-links.ts'
import { appendPlain, readPlain } from '../../platform/storage/plain-file.ts'
import { makeFolders } from '../../platform/storage/without-links.ts'
import type { ConfigInput } from '../../protocol/config-schema.ts'
import { federationLayout } from '../../protocol/folder-layout.ts'
import { META } from '../../protocol/team-id.ts'
import { loadConfig } from '../../records/config/load-config.ts'
import { CONFIG_SCHEMA, renewConfigSchema } from '../../records/config/schema-copy.ts'
import { TeamRegistry } from '../../records/registry/team-registry.ts'
import { Mailbox } from '../../records/signals/mailbox.ts'
import { installSkills } from '../../records/skills/install.ts'
import { skillsOfMeta } from '../../records/skills/skill.ts'

/** What setting up did. */
export interface Initialized {
  readonly root: string
  /** Whether anything was missing. */
  readonly created: boolean
  /** Whether the configuration's JSON Schema, which was there, was made anew. */
  readonly renewed: boolean
}

/**
 * Where a federation for this folder is, or would be: the top of the repository, unless there is one between.
 * @throws {NotARepositoryError} when the folder is in no git repository.
 */
export function rootFor(dir: string): string {
  const repository = repositoryRoot(dir)
  return unless(FederationNotFoundError, () => findRoot(dir).root) ?? repository
}

/**
 * Sets up a federation at the top of the repository that holds `dir`: configuration, registry, meta's mailbox
 * and skills, and git's exclude. What is there already stays as it is, also a federation in a folder between.
 * @param settings what a new configuration says; valid, and without a meaning where there is one already.
 * @throws {NotARepositoryError} when `dir` is in no git repository; {ConfigValidationError}
 */
export function initialize(dir: string, settings: ConfigInput = {}): Initialized {
  const root = rootFor(dir)
  const wasSetUp = setUp(root)
  // it may have been brought here from another disk
  if (wasSetUp) assertUsableDisk(federationLayout(root).fed)
  const renewed = renewConfigSchema(root)
  const hadConfig = writeConfig(root, settings)
  if (!hadConfig) allowConfigured(root)
  return { root, created: !wasSetUp || !hadConfig, renewed }
}

/**
 * Makes what a federation needs beside its configuration, which a fresh clone may hold without the rest:
 * registry, meta's mailbox and skills, the schema for editors, and git's exclude.
 * @param registry the federation's, for callers that have one open already.
 * @returns whether all of it was there.
 * @throws {NotARepositoryError | ConfigValidationError | DisplacedError | UnusablePlaceError};
 * {NoHardLinksError} where nothing of it could work.
 */
export function setUp(root: string, registry = new TeamRegistry(root)): boolean {
  const layout = federationLayout(root)
  const repository = repositoryRoot(root)
  assertAtHome(root)
  loadConfig(root)
  const meta = new Mailbox(META, root)
  const isRegistered = registry.read().lockVersion > 0
  const isComplete = isRegistered && disk.exists(meta.inbox) && disk.exists(meta.outbox)
  // before anything is made
  if (!isRegistered) assertUsableDisk(layout.fed)
  for (const dir of [meta.inbox, meta.outbox]) refuseFaulty(dir)
  meta.create()
  makeFolders(layout.teams)
  const wasRecorded = keepRecord(root, registry)
  const wasExcluded = exclude(repository, root)
  const hadSkills = !installSkills(root, skillsOfMeta())
  if (!isRegistered) {
    // a fresh clone holds the configuration that points to it
    renewConfigSchema(root)
    registry.update(() => undefined)
  }
  return isComplete && wasRecorded && wasExcluded && hadSkills
}

/**
 * Notes where the federation lies. One without teams that was noted elsewhere, as in a copy of a template,
 * becomes another federation with a new id.
 * @returns whether anything had been noted before.
 */
function keepRecord(root: string, registry: TeamRegistry): boolean {
  const record = readRecord(root)
  if (record === undefined) noteRecord(root)
  else if (!isSameFolder(record.root, root) && registry.read().teams.length === 0) replaceRecord(root)
  return record !== undefined
}

/**
 * Refuses a folder of the mailbox that cannot hold signals: otherwise the first signal that is lost would
 * show it.
 * @throws {FolderFaultError}
 */
function refuseFaulty(dir: string): void {
  const fault = folderFault(dir)
  if (fault !== undefined) throw new FolderFaultError(dir, fault)
}

/** Description in a new configuration for which none was given. */
export function defaultDescription(root: string): string {
  return `Federation of ${path.basename(root)}`
}

function writeConfig(root: string, settings: ConfigInput): boolean {
  const { config, fed } = federationLayout(root)
  if (disk.exists(config)) return true
  const content = { $schema: CONFIG_SCHEMA, description: defaultDescription(root), ...settings }
  const text = `${JSON.stringify(content, null, 2)}\n`
  // never in place of a configuration that somebody wrote meanwhile
  const create = (aside: string) => createOnce(config, text, aside, { mode: WRITABLE })
  // `.fed` may be a file system of its own
  if (!succeedsUnless('EXDEV', () => create(fed))) create(root)
  return false
}

function exclude(repository: string, root: string): boolean {
  const own = path.posix.join(path.relative(repository, root).replaceAll(path.sep, '/'), '.fed')
  // a worktree holds its team's `.fed` at its top, wherever the federation is
  const patterns = [...new Set([`/${own}/`, '/.fed/'])]
  const file = excludeFile(repository)
  mkdirSync(path.dirname(file), { recursive: true })
  const present = unless('ENOENT', () => readPlain(file, { followLinks: true }).toString('utf8')) ?? ''
  const lines = present.split(/\r?\n/)
  const missing = patterns.filter((pattern) => !lines.includes(pattern))
  if (missing.length === 0) return true
  const begin = present === '' || present.endsWith('\n') ? '' : '\n'
  appendPlain(file, `${begin}${missing.join('\n')}\n`, { followLinks: true })
  return false
}
