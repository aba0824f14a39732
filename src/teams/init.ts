import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { v4 as uuid } from 'uuid'
import { excludeFile, repositoryRoot } from '../git.ts'
import { federationLayout } from '../protocol/layout.ts'
import { META } from '../protocol/team-id.ts'
import { TeamRegistry } from '../registry/registry.ts'
import { Mailbox } from '../signals/mailbox.ts'
import { disk, hasCode } from '../storage/disk.ts'
import { loadConfig } from './config.ts'

const excluded = '/.fed/'

/**
 * Sets up a federation at the top of the repository that holds `dir`: configuration, registry, meta's mailbox,
 * and git's exclude. What is there already stays as it is.
 * @returns the root, and whether anything was missing.
 * @throws {NotARepositoryError} when `dir` is in no git repository.
 */
export function initialize(dir: string): { readonly root: string; readonly created: boolean } {
  const root = repositoryRoot(dir)
  const layout = federationLayout(root)
  const created = !disk.exists(layout.registry)
  new Mailbox(META, root).create()
  mkdirSync(layout.teams, { recursive: true })
  exclude(root)
  if (!disk.exists(layout.config)) {
    const temporary = path.join(layout.fed, `.${uuid()}.tmp`)
    disk.create(
      temporary,
      `${JSON.stringify({ description: `Federation of ${path.basename(root)}` }, null, 2)}\n`,
    )
    // a link never replaces a configuration that somebody wrote meanwhile
    disk.link(temporary, layout.config)
    disk.unlink(temporary)
  }
  loadConfig(root)
  const registry = new TeamRegistry(root)
  if (registry.read().lockVersion === 0) registry.update(() => undefined)
  return { root, created }
}

function exclude(root: string): void {
  const file = excludeFile(root)
  let present = ''
  try {
    present = readFileSync(file, 'utf8')
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
    mkdirSync(path.dirname(file), { recursive: true })
  }
  if (present.split(/\r?\n/).includes(excluded)) return
  appendFileSync(file, `${present === '' || present.endsWith('\n') ? '' : '\n'}${excluded}\n`)
}
