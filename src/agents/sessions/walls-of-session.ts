import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { unless } from '../../errors/unless.ts'
import { FedError } from '../../errors/fed-error.ts'
import { gitOrNothing, repositoryRoot } from '../../platform/git/git.ts'
import { repositoryOf } from '../../platform/git/worktree.ts'
import { systemRules } from '../../platform/confinement/system-rules.ts'
import { clearTheWay, privateHome } from '../../platform/confinement/private-home.ts'
import { socketRules } from '../../platform/confinement/listening-sockets.ts'
import { real, type Rule, type Walls } from '../../platform/confinement/walls.ts'
import type { Command } from '../../platform/process/command.ts'
import { replaceFile } from '../../platform/storage/disk.ts'
import { readOutside } from '../../platform/storage/outside-file.ts'
import { personsFolder } from '../../platform/storage/persons-folder.ts'
import { isSystemError } from '../../platform/storage/system-error.ts'
import { remove } from '../../platform/storage/without-links.ts'
import { bytesOf, type ConfinementConfig } from '../../protocol/config-confinement.ts'
import { federationLayout, workspaceLayout } from '../../protocol/folder-layout.ts'
import { onlyReads } from '../../federation/lead-agent.ts'
import { EMBEDDED_AGENT } from '../../protocol/config-schema.ts'
import type { Assignment } from '../drivers/driver.ts'
import { folder, placeOf, type OwnThings } from '../drivers/own-things.ts'
import { ownThingsOf } from '../drivers/presets.ts'
import { privateRules } from '../../platform/private-git/inside.ts'
import { environmentInside } from '../../engine/confinement/environment-inside.ts'
import { givenRules } from '../../engine/confinement/given-rules.ts'
import { homeOf, privateRepositoryOf } from './private-repository.ts'
import { provideCommand } from './agent-environment.ts'

/** Largest file of a person's that an agent gets a copy of, in bytes. */
const largestCopy = 16_000_000

/** Who is to be held, and what was given to it. */
interface Held {
  readonly assignment: Assignment
  readonly command: Command
  readonly confinement: ConfinementConfig
  readonly network: Walls['network']
}

/**
 * The walls around a team's agent. It reads the codebase and its own workspace, writes its workspace without what fed
 * keeps there, and asks everything else by its tray; of the machine it has what `systemRules` say, of its person what
 * its program needs. Makes what has to be there before.
 * @throws {FedError} when there is no place for its home.
 */
export function wallsOf({ assignment, command, confinement, network }: Held): Walls {
  const home = privateHome(homeOf(assignment))
  const repository = repositoryFor(assignment)
  const own = ownThingsOf(command.file)
  const folders = own?.folders ?? []
  const rules: Rule[] = [
    ...systemRules({
      searched: command.env.PATH ?? '',
      programs: [command.file, provideCommand(), ...command.args.filter(isFile)],
      home,
    }),
    ...command.args.flatMap(besideIt),
    ...codebaseRules(assignment.root),
    ...(repository === undefined ? [] : privateRules(repository.real, repository.place, 'write')),
    ...workspaceRules(assignment, command),
    ...folders.flatMap((one) => ownRules(one, home)),
    ...givenRules(confinement),
  ]
  copyIntoHome(home, assignment.codebase, own)
  clearTheWay(home, rules)
  const { env } = environmentInside([...(own?.env ?? []), ...confinement.env])
  const moved = new Set(folders.flatMap(({ variable, base }) => [variable, base]))
  return {
    rules: [...rules, ...socketRules(rules)],
    env: {
      ...Object.fromEntries(Object.entries(env).filter(([name]) => !moved.has(name))),
      HOME: os.homedir(),
    },
    network,
    limits: {
      processes: confinement.limits.processes,
      bytes: bytesOf(confinement.limits.disk),
      places: [assignment.workspace, home, ...(repository === undefined ? [] : [repository.place.git])],
    },
  }
}

function isFile(word: string): boolean {
  return path.isAbsolute(word) && (unless(isSystemError, () => statSync(word).isFile()) ?? false)
}

/** What lies beside a file that a command names: a script's own modules, for example. */
function besideIt(word: string): Rule[] {
  if (!isFile(word)) return []
  const beside = path.dirname(real(word) ?? word)
  const isOfMany = [os.homedir(), os.tmpdir(), '/'].some((one) => (real(one) ?? one).startsWith(beside))
  return isOfMany ? [] : [{ kind: 'read', at: beside }]
}

/** The codebase, without other teams' lives and mail and what only the person's own processes may know. */
function codebaseRules(root: string): Rule[] {
  const layout = federationLayout(root)
  const { fed, teams, worktrees, chat, dashboard, archive, copied, sites, link, inspection } = layout
  const closed = [teams, worktrees, chat, dashboard, archive, copied, sites, link, inspection]
  // only what is there can be hidden, whatever comes into it later
  for (const place of closed) unless(isSystemError, () => mkdirSync(place, { recursive: true, mode: 0o700 }))
  const common = unless(FedError, () => repositoryOf(root))
  return [
    ...[unless(FedError, () => repositoryRoot(root)) ?? root, root, fed].map((at): Rule => ({
      kind: 'read',
      at: real(at) ?? at,
    })),
    ...(common === undefined ? [] : [{ kind: 'read', at: common } as const]),
    ...[...closed, path.join(fed, 'signals'), personsFolder('state')].map((at): Rule => ({
      kind: 'empty',
      at,
    })),
  ]
}

/** What lies in the place of the repository for a team that commits; undefined for one that does not. */
function repositoryFor({ root, team, since, codebase, profile }: Assignment) {
  const mayCommit = !onlyReads(profile) && codebase !== root
  return mayCommit ? privateRepositoryOf({ root, team, since, workspace: codebase }) : undefined
}

/** Whether a command is that of the embedded agent, by its arguments. */
export function isEmbeddedAgent(args: readonly string[]): boolean {
  return args.some((word) => path.basename(word) === `${EMBEDDED_AGENT}.js`)
}

/** The team's workspace, of which fed's own part is written by the tray alone. */
function workspaceRules({ workspace, root }: Assignment, { args }: Command): Rule[] {
  const { trays } = workspaceLayout(workspace)
  mkdirSync(trays, { recursive: true })
  const read = ['.fed', '.git'].map((name) => path.join(workspace, name))
  const isEmbedded = isEmbeddedAgent(args)
  const cache = path.join(federationLayout(root).fed, 'cache')
  if (isEmbedded) mkdirSync(cache, { recursive: true })
  return [
    { kind: 'write', at: workspace },
    ...read.map((at): Rule => ({ kind: 'read', at })),
    { kind: 'write', at: trays },
    // what it has read of the codebase is read once for all teams
    ...(isEmbedded ? [{ kind: 'write', at: cache } as const] : []),
  ]
}

/** A folder of the agent's program as it lies in every home, whatever variable names another place. */
function ownRules(one: OwnThings['folders'][number], home: string): Rule[] {
  const { place, isMoved } = placeOf(one)
  if (!existsSync(place)) return []
  const at = path.join(real(os.homedir()) ?? os.homedir(), one.at)
  if (one.settled === 'all') {
    const names = unless(isSystemError, () => readdirSync(place)) ?? []
    // an earlier session left there what is not the person's, and an empty file for each that was
    remove(path.join(home, one.at))
    return names.map((name) => ({ kind: 'read', at: path.join(at, name), from: path.join(place, name) }))
  }
  const settled = Object.entries(one.settled)
  for (const [name, text] of settled)
    if (!existsSync(path.join(place, name))) settle(path.join(place, name), text)
  return [
    { kind: 'write', at, from: place },
    ...[...settled.map(([name]) => name), ...(isMoved ? [`${path.basename(place)}.json`] : [])].map(
      (name): Rule => ({ kind: 'read', at: path.join(at, name), from: path.join(place, name) }),
    ),
  ]
}

function settle(file: string, text: typeof folder | { readonly text: string }): void {
  unless(isSystemError, () => {
    if (text === folder) mkdirSync(file, { mode: 0o700 })
    else replaceFile(file, text.text, path.dirname(file), { isDurable: false, mode: 0o600 })
  })
}

/** Lays into the home what belongs there as files of their own: who commits, and what the program replaces. */
function copyIntoHome(home: string, codebase: string, own: OwnThings | undefined): void {
  const [name, email] = ['user.name', 'user.email'].map((key) =>
    gitOrNothing(codebase, 'config', '--get', key),
  )
  const fields = Object.entries({ name, email }).flatMap(([key, value]) =>
    value === undefined ? [] : [`\t${key} = ${JSON.stringify(value)}\n`],
  )
  put(home, '.gitconfig', fields.length === 0 ? '' : `[user]\n${fields.join('')}`)
  for (const file of own?.copied ?? []) {
    const [first] = own?.folders ?? []
    const moved = first === undefined ? undefined : placeOf(first)
    const from = path.join(moved?.isMoved === true ? moved.place : os.homedir(), file)
    const found = readOutside(from, { largestBytes: largestCopy, followLinks: true })
    if (found.kind === 'text') put(home, file, found.text)
  }
}

function put(home: string, name: string, text: string): void {
  unless(isSystemError, () =>
    replaceFile(path.join(home, name), text, home, { isDurable: false, mode: 0o600 }),
  )
}
