import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Federation } from '../../src/federation/federation.ts'
import { git } from '../../src/platform/git/git.ts'
import type { SignalMessage } from '../../src/protocol/signal.ts'
import { replaceRecord } from '../../src/federation/federation-record.ts'
import { initialize } from '../../src/federation/onboarding/set-up.ts'
import type { Team } from '../../src/federation/team.ts'

// what a power cut would take is proved elsewhere; here only processes die
process.env.FED_DURABILITY = 'process'

let template: string | undefined

/** A new folder, which goes with everything temporary of the run. */
export function newFolder(name: string): string {
  return mkdtempSync(path.join(os.tmpdir(), `${name}-`))
}

/** A git repository with code, one commit and a federation; made once and copied. */
function makeTemplate(): string {
  const root = newFolder('template')
  git(root, 'init', '--quiet', '--initial-branch=main', '--template=')
  git(root, 'config', 'user.name', 'Tester')
  git(root, 'config', 'user.email', 'tester@example.org')
  mkdirSync(path.join(root, 'src'))
  writeFileSync(path.join(root, 'src', 'app.ts'), 'export const answer = 42\n')
  initialize(root)
  git(root, 'add', '.')
  git(root, 'commit', '--quiet', '--message', 'Begin')
  return root
}

/** The root of a new federation in a real repository. */
export function newFederation(): string {
  template ??= makeTemplate()
  const root = newFolder('federation')
  cpSync(template, root, { recursive: true })
  // it is one of its own, and no copy
  replaceRecord(root)
  return root
}

/** A team as a process that has just started finds it: nothing but files. */
export function reload(root: string, team: string): Promise<Team> {
  return new Federation(root).team(team)
}

/** Every signal in an inbox, by its file's name. */
export function inboxOf(workspace: string): Map<string, SignalMessage> {
  const inbox = path.join(workspace, '.fed', 'signals', 'inbox')
  const files = readdirSync(inbox).filter((name) => name.endsWith('.json'))
  return new Map(
    files.map((file) => [file, JSON.parse(readFileSync(path.join(inbox, file), 'utf8')) as SignalMessage]),
  )
}
