import { createHash } from 'node:crypto'
import { readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'
import type { TrustedPart } from '../../errors/untrusted-error.ts'
import { unless } from '../../errors/unless.ts'
import { FedError } from '../../errors/fed-error.ts'
import { git } from '../../platform/git/git.ts'
import { isSystemError } from '../../platform/storage/system-error.ts'
import { widens } from '../../protocol/config-confinement.ts'
import { EMBEDDED_AGENT, type Config } from '../../protocol/config-schema.ts'
import { knownAgentNames } from '../../protocol/agent-names.ts'
import { hookFile } from '../hooks/hook-file.ts'
import { hookSources } from './hook-sources.ts'

/** What a part is made of, by name: for each file and each command its digest. */
export type Digests = Readonly<Record<string, string>>

/** Every part that runs only where it is trusted, in the order in which people are shown them. */
export const parts: readonly TrustedPart[] = [
  ...([
    'importHook',
    'agentCommand',
    'agents',
    'chatConfig.server',
    'checks',
    'confinement',
    '.fed',
  ] as const),
]

/**
 * What of a part there is in a repository now; undefined where there is nothing that needs trust. Runs none of it.
 * @throws {HookError} when the hook's files cannot be told.
 */
export function presentOf(part: TrustedPart, root: string, config: Config): Digests | undefined {
  const { importHook, agentCommand, agents, chatConfig, checks, setup } = config
  switch (part) {
    case 'importHook':
      return importHook === undefined ? undefined : hookDigests(realpathSync(root), importHook)
    case 'agentCommand':
      return isKnownAgent(agentCommand) ? undefined : { agentCommand: digestOf(agentCommand) }
    case 'agents':
      return Object.values(agents).every(isKnownAgent)
        ? undefined
        : Object.fromEntries(Object.entries(agents).map(([name, command]) => [name, digestOf(command)]))
    case 'chatConfig.server':
      return chatConfig?.server && { server: digestOf(JSON.stringify(chatConfig.server)) }
    case 'checks':
      return checks.length === 0 ? undefined : { checks: digestOf(JSON.stringify([checks, setup ?? null])) }
    case 'confinement':
      return widens(config.confinement)
        ? { confinement: digestOf(JSON.stringify(config.confinement)) }
        : undefined
    case '.fed':
      return trackedDigest(root)
  }
}

/** Whether an agent is the embedded one or a known one, and no command that is run as it is given. */
function isKnownAgent(agent: string): boolean {
  const name = agent.replace(/^acp:/, '').trim()
  return name === EMBEDDED_AGENT || knownAgentNames.some((one) => one === name)
}

function hookDigests(root: string, importHook: string): Digests {
  const module = hookFile(root, importHook)
  const files = hookSources(root, module).map((file) => [file, digestOfFile(path.join(root, file))])
  return { module: path.relative(root, module), ...Object.fromEntries(files) }
}

/** What git tracks of a federation's own folder, by whatever case of letters; undefined where it tracks nothing. */
function trackedDigest(root: string): Digests | undefined {
  const tracked = unless(FedError, () => git(root, 'ls-files', '--stage', '--', ':(icase).fed')) ?? ''
  return tracked === '' ? undefined : { '.fed': digestOf(tracked) }
}

export function isSame(one: Digests | undefined, other: Digests | undefined): boolean {
  return textOf(one) === textOf(other)
}

/** SHA-256 of everything that there is: what `FED_TRUST` is compared with. */
export function digestOfAll(all: ReadonlyMap<TrustedPart, Digests>): string {
  return digestOf(parts.flatMap((part) => (all.has(part) ? [part, textOf(all.get(part))] : [])).join('\n'))
}

function textOf(digests: Digests | undefined): string {
  return JSON.stringify(Object.entries(digests ?? {}).toSorted())
}

function digestOfFile(file: string): string {
  return unless(isSystemError, () => digestOf(readFileSync(file))) ?? 'unreadable'
}

function digestOf(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex')
}
