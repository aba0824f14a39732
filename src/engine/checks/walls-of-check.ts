import { mkdirSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Checkout } from '../../platform/git/checkout.ts'
import { git } from '../../platform/git/git.ts'
import { repositoryOf } from '../../platform/git/worktree.ts'
import { withinWalls } from '../../platform/confinement/bubblewrap.ts'
import { systemRules } from '../../platform/confinement/system-rules.ts'
import type { Walls } from '../../platform/confinement/walls.ts'
import type { Command } from '../../platform/process/command.ts'
import { bytesOf } from '../../protocol/config-confinement.ts'
import { federationLayout } from '../../protocol/folder-layout.ts'
import { loadConfig } from '../../records/config/load-config.ts'
import { registriesOf } from '../confinement/allowed-hosts.ts'
import { environmentInside } from '../confinement/environment-inside.ts'
import { givenRules } from '../confinement/given-rules.ts'
import { holdFor } from '../confinement/hold.ts'
import { openWay } from '../confinement/way-out.ts'
import type { Reach } from './configured.ts'

/** A command of a check or of the setup, as it is to be started. */
export interface Held {
  readonly command: Command
  /** What it gets instead of this process's environment. */
  readonly environment: NodeJS.ProcessEnv
  /** Why nothing holds it; null where walls do. */
  readonly open: string | null
  /** Takes away what stands for it outside; for when it has ended. */
  end(): void
}

/**
 * Holds a command within walls, where they stand: it writes its checkout and a home that is gone with it, and reaches
 * what it is meant to. It is the code of a commit that runs.
 * @param environment where nothing holds it.
 * @throws {ConfinementError} when walls are wanted `on` and cannot be had.
 */
export async function heldCheck(
  { root, commit }: { readonly root: string; readonly commit: string },
  { place, tree }: Checkout,
  command: Command,
  environment: NodeJS.ProcessEnv,
  reach: Reach,
): Promise<Held> {
  const { confinement } = loadConfig(root)
  const hold = await holdFor(confinement, root)
  if ('open' in hold) return { command, environment, open: hold.open, end: () => undefined }
  const home = path.join(place, 'home')
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const { env } = environmentInside(confinement.env, environment)
  const way =
    reach === 'registries'
      ? await openWay(hostsOf(root, commit, confinement.hosts), () => undefined)
      : undefined
  const walls: Walls = {
    rules: [
      ...systemRules({ searched: environment.PATH ?? '', programs: [command.file], home }),
      { kind: 'empty', at: federationLayout(root).fed },
      ...givenRules(confinement),
      // from which the checkout's own repository borrows
      { kind: 'read', at: path.join(repositoryOf(root), 'objects') },
      { kind: 'write', at: tree },
    ],
    env: { ...env, HOME: os.homedir() },
    network: way?.network ?? (reach === 'host' ? 'host' : 'none'),
    limits: {
      processes: confinement.limits.processes,
      bytes: bytesOf(confinement.limits.disk),
      places: [tree, home],
    },
  }
  return {
    command: { ...withinWalls(command, walls, hold.file), ...(way && { leaves: way.folder }) },
    environment: { PATH: environment.PATH },
    open: null,
    end: () => way?.end(),
  }
}

/** Hosts for a setup: those that the person named, and the registries of the packages that the commit uses. */
function hostsOf(root: string, commit: string, named: readonly string[]) {
  const files = git(root, 'ls-tree', '-r', '-z', '--name-only', commit)
  return { named, usual: registriesOf(files.split('\0')) }
}
