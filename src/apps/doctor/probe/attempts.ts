import { existsSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { knownThings } from '../../../agents/drivers/known-things.ts'
import { placeOf } from '../../../agents/drivers/own-things.ts'
import { isWithin } from '../../../platform/confinement/walls.ts'
import { personsFolder } from '../../../platform/storage/persons-folder.ts'
import type { ConfinementConfig } from '../../../protocol/config-confinement.ts'
import { federationLayout, workspaceLayout } from '../../../protocol/folder-layout.ts'
import type { Attempt, Try } from './attempt.ts'

/** What a home holds that is nobody's but its person's. */
const secrets = [
  ...['.aws', '.azure', '.config/gcloud', '.config/gh', '.docker', '.gnupg', '.kube', '.netrc', '.npmrc'],
  ...['.git-credentials', '.pypirc', '.cargo/credentials.toml', '.password-store', '.mozilla'],
]
const dotfiles = ['.bashrc', '.bash_history', '.profile', '.zshrc', '.zsh_history', '.config/fish']

/** Sockets at which others act for whoever connects, and the variables that name more of them. */
const sockets = [
  ['the socket of docker', ['/run/docker.sock', '/run/podman/podman.sock'], 'DOCKER_HOST'],
  ['D-Bus', ['/run/dbus/system_bus_socket'], 'DBUS_SESSION_BUS_ADDRESS'],
  ['the ssh agent', [], 'SSH_AUTH_SOCK'],
] as const

/** What lies outside of the walls for one team, and only to be reached for. */
export interface Outside {
  readonly root: string
  /** The workspace of the team that tries. */
  readonly workspace: string
  /** The workspace of another. */
  readonly neighbour: string
  /** A word that is in nobody's way by chance. */
  readonly word: string
  /** A port of 127.0.0.1 at which somebody answers. */
  readonly port: number
  /** A socket in the codebase at which somebody answers. */
  readonly socket: string
  /** A name without a file at which somebody answers. */
  readonly abstract: string
  /** A variable of whoever launches. */
  readonly variable: string
  /** The variables of whoever launches. */
  readonly env: NodeJS.ProcessEnv
  /** Whether the team changes code, and commits. */
  readonly commits: boolean
  readonly confinement: ConfinementConfig
}

/** Everything that is tried by an agent. What is not there on this machine is tried all the same, where it may be made. */
export function attemptsOf(outside: Outside): Attempt[] {
  return [
    ...inTheHome(outside),
    ...inTheRepository(outside),
    ...inTheFederation(outside),
    ...onTheMachine(outside),
    ...onTheNetwork(outside),
    ...whatIsGiven(outside),
  ]
}

const reading = (places: readonly string[]) => places.map((at): Try => ({ do: 'read', at }))
const writing = (at: string) => ({ tries: [{ do: 'write', at }] as const, watched: at })

function refused(what: string, rest: Pick<Attempt, 'tries' | 'watched'>): Attempt {
  return { what, given: false, ...rest }
}

/** Whether a place is among these of the configuration, or holds one of them. */
function isAmong(place: string, given: readonly string[]): boolean {
  return given
    .map((one) => one.replace(/^~(?=\/)/, os.homedir()))
    .some((one) => isWithin(place, one) || isWithin(one, place))
}

/** What of these is there; one that the configuration gives is no secret any more. */
function kept(names: readonly string[], { confinement: { read, write } }: Outside): string[] {
  return names
    .map((name) => path.resolve(os.homedir(), name))
    .filter((place) => existsSync(place) && !isAmong(place, [...read, ...write]))
}

/** A new file outside of everything that is anybody's work. */
function writingNew(what: string, file: string, { confinement: { write } }: Outside): Attempt {
  return { what, given: isAmong(file, write) ? 'maybe' : false, ...writing(file) }
}

function inTheHome(outside: Outside): Attempt[] {
  const folders = Object.values(knownThings).flatMap((own) => own.folders.map((one) => placeOf(one).place))
  const copied = Object.values(knownThings).flatMap((own) => own.copied ?? [])
  return [
    writingNew('write into the home', path.join(os.homedir(), `.${outside.word}`), outside),
    refused('read ~/.ssh', { tries: reading(kept(['.ssh'], outside)) }),
    refused('read other secrets of the home', { tries: reading(kept(secrets, outside)) }),
    refused('read dotfiles and histories of the home', { tries: reading(kept(dotfiles, outside)) }),
    refused("read agents' credentials", { tries: reading(kept([...folders, ...copied], outside)) }),
  ]
}

function inTheRepository({ root, word }: Outside): Attempt[] {
  const inGit = (...parts: string[]) => path.join(root, '.git', ...parts)
  const main = inGit('refs', 'heads', 'main')
  const moving = ['git', '-C', root, 'update-ref', 'refs/heads/main', 'refs/heads/other']
  return [
    refused("write into the root's checkout", writing(path.join(root, 'README.md'))),
    refused('write into .git/config', writing(inGit('config'))),
    refused('add a git hook', writing(inGit('hooks', 'post-checkout'))),
    refused("move main's ref", {
      tries: [
        { do: 'run', command: moving },
        { do: 'write', at: main },
      ],
      watched: main,
    }),
    refused('add a branch', writing(inGit('refs', 'heads', word))),
  ]
}

function inTheFederation({ root, workspace, neighbour, word }: Outside): Attempt[] {
  const layout = federationLayout(root)
  const own = workspaceLayout(workspace)
  const other = workspaceLayout(neighbour)
  const forged = `${word}.json`
  return [
    refused('write into the registry', writing(layout.registry)),
    refused('write into the configuration', writing(layout.config)),
    refused("read another team's workspace", { tries: reading([path.join(neighbour, 'deliverable.md')]) }),
    refused("write into another team's workspace", writing(path.join(neighbour, word))),
    refused("read another team's mail", { tries: reading([other.inbox, other.outbox]) }),
    refused('put a signal into an inbox of another', writing(path.join(other.inbox, forged))),
    refused('put a signal into its own inbox', writing(path.join(own.inbox, forged))),
    refused('change its own life', writing(own.lifecycle)),
    refused('change what it learned', writing(own.learnings)),
    refused("read fed's own state", { tries: reading([personsFolder('state')]) }),
  ]
}

function onTheMachine(outside: Outside): Attempt[] {
  const { word, socket, abstract, variable, confinement } = outside
  return [
    ...sockets.map((one) => connecting(outside, one)),
    refused('connect to a socket in the codebase', { tries: [{ do: 'connect', to: socket }] }),
    refused('connect to a socket without a file', { tries: [{ do: 'connect', to: abstract }] }),
    writingNew('write into the system', `/etc/${word}`, outside),
    refused('read the passwords of the system', { tries: reading(['/etc/shadow']) }),
    {
      what: 'read variables of whoever launched it',
      given: confinement.env.some((name) => isNamed(variable, name)) ? 'maybe' : false,
      tries: [{ do: 'variable', name: variable }],
    },
    refused('see processes outside', { tries: [{ do: 'see', marked: word }] }),
    refused('leave a process behind', { tries: [{ do: 'stay', marked: wordOfWhoStays(word) }] }),
  ]
}

/** @param name of a variable, or with a * at the end of all that begin so. */
function isNamed(variable: string, name: string): boolean {
  return name.endsWith('*') ? variable.startsWith(name.slice(0, -1)) : variable === name
}

function connecting(
  { env, confinement }: Outside,
  [what, usual, variable]: (typeof sockets)[number],
): Attempt {
  const [, named] = /^(?:unix:(?:path=|\/\/)?)?(\/[^,;]+)/.exec(env[variable] ?? '') ?? []
  const found = [...usual, ...(named === undefined ? [] : [named])].filter((one) => existsSync(one))
  const isGiven = found.some((one) => confinement.sockets.some((given) => isWithin(one, given)))
  return {
    what: `connect to ${what}`,
    given: isGiven ? 'maybe' : false,
    tries: found.map((to) => ({ do: 'connect', to })),
  }
}

/** The word by which a process that was left behind is found. */
export function wordOfWhoStays(word: string): string {
  return `left-${word}`
}

/** An address that nobody has (RFC 5737), and a name that stands for none (RFC 2606). */
const [nobodysAddress, nobodysName] = ['192.0.2.1', 'fed-probe.invalid']

function onTheNetwork({ port, confinement: { hosts } }: Outside): Attempt[] {
  const here = '127.0.0.1'
  return [
    refused('connect to a port of this machine', { tries: [{ do: 'connect', to: { host: here, port } }] }),
    refused('reach this machine by the proxy', { tries: [{ do: 'ask-proxy', to: `${here}:${port}` }] }),
    refused('connect to another machine', {
      tries: [{ do: 'connect', to: { host: nobodysAddress, port: 443 } }],
    }),
    {
      what: 'reach a host that nobody named',
      given: hosts.includes('*') ? 'maybe' : false,
      tries: [{ do: 'ask-proxy', to: `${nobodysName}:443` }],
    },
  ]
}

function whatIsGiven({ root, workspace, commits }: Outside): Attempt[] {
  const given = (what: string, rest: Pick<Attempt, 'tries' | 'watched'>): Attempt => ({
    what,
    given: true,
    ...rest,
  })
  const commit = ['git', 'commit', '--allow-empty', '--quiet', '--message', 'Probe']
  return [
    given('read the codebase', { tries: reading([path.join(root, 'README.md')]) }),
    given('read the registry', { tries: reading([federationLayout(root).registry]) }),
    given('write into its workspace', writing(path.join(workspace, 'probe.txt'))),
    given('write into folders of its own', { tries: [{ do: 'write', at: '/tmp/probe' }] }),
    given('ask fed', { tries: [{ do: 'run', command: ['fed', 'learn', 'the walls were probed'] }] }),
    given('commit', { tries: commits ? [{ do: 'run', command: commit }] : [] }),
  ]
}
