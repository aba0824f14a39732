// Proves that what agents can write is opened, made, moved and removed by `without-links.ts` alone: by what each file imports,
// and by the system calls of commands. It fails when another file takes such a call from `node:fs`, or when a command
// opens anything below `.fed` by a path on which a link would be followed.
import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { agent, builtFed, fedDone, newFederation, newFolder, systemPath } from '../support/fed.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))

/** Rooms that handle what agents can write. */
const rooms = ['records', 'engine', 'federation', 'agents', 'telemetry', 'monitor', 'apps']
/** What only looks, and what goes by a descriptor that is open already. */
const harmless =
  /^(?:type |existsSync$|l?statSync$|realpathSync$|accessSync$|statfsSync$|watch$|constants$|closeSync$|fstatSync$|readSync$|writeSync$|ftruncateSync$|[A-Z]\w+$)/

const byHeld = 'the call is handed to `below` or `inFolder`, which hold the folder'
const packaged = 'it reads what is installed with fed, or the files of the process'
const persons = 'it reads or writes what the person named or keeps for himself'
const momentary = 'it sets up a federation of its own, in which nobody else is at work'
const asTheAgent = 'it runs in the session, with the rights of the agent'
/** Files with another call of `node:fs`, and why. */
const exceptions: Readonly<Record<string, string>> = {
  'records/signals/staging.ts': byHeld,
  'records/signals/quarantine.ts': byHeld,
  'engine/checks/setup-store.ts': byHeld,
  'engine/step/codebase-evidence.ts': byHeld,
  'apps/doctor/leftover-checks.ts': byHeld,
  'apps/doctor/mail-folder-checks.ts': byHeld,
  'records/skills/skill.ts': packaged,
  'records/config/schema-copy.ts': packaged,
  'federation/hooks/deadline.ts': packaged,
  'apps/web/dashboard/local-server.ts': packaged,
  'apps/web/dashboard/diagram-document.ts': packaged,
  'apps/chat/agent-conversation.ts': packaged,
  'federation/schemas/schema-files.ts': packaged,
  'federation/hooks/source-place.ts': persons,
  'federation/trust/trust-store.ts': persons,
  'federation/trust/what-runs.ts': persons,
  'federation/onboarding/set-up.ts': persons,
  'agents/sessions/walls-of-session.ts': persons,
  'engine/checks/walls-of-check.ts': 'it makes a home beside a checkout, where nothing ran yet',
  'engine/confinement/way-out.ts': 'it makes a folder of its own among those for temporary files',
  'agents/sessions/agent-environment.ts': persons,
  'apps/cli/text-input.ts': persons,
  'apps/doctor/probe/bait.ts': momentary,
  'apps/doctor/probe/run-probe.ts': momentary,
  'apps/doctor/probe/on-a-command-line.ts': 'it reads what the kernel tells of processes',
  'apps/doctor/probe/probe-agent.ts': asTheAgent,
  'apps/cli/commands/diagram.ts': persons,
  'agents/tray/ask.ts': asTheAgent,
}

/** What a file takes from `node:fs`, by name; the whole of it as `*`. */
function fsImports(text: string): string[] {
  const named = text.matchAll(
    /import (type )?(\{[^}]*\}|[\w* ]+) from '(?:node:fs(?:\/promises)?|fs-extra)'/g,
  )
  return [...named].flatMap(([, type, names = '']) => {
    if (type !== undefined) return []
    if (!names.startsWith('{')) return ['*']
    return names
      .slice(1, -1)
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
  })
}

test('no other file takes calls that open, make, move or remove', () => {
  const source = path.join(repository, 'src')
  const files = rooms.flatMap((room) =>
    readdirSync(path.join(source, room), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !file.includes('/page/'))
      .map((file) => `${room}/${file}`),
  )
  expect(files.length).toBeGreaterThan(400)
  const taking = files.filter((file) =>
    fsImports(readFileSync(path.join(source, file), 'utf8')).some((name) => !harmless.test(name)),
  )
  // an exception that is none any more goes
  expect(taking.toSorted()).toEqual(Object.keys(exceptions).toSorted())
})

interface Call {
  readonly pid: string
  readonly name: string
  readonly text: string
}

const hasStrace = spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0

/** The calls that a command itself made on files, without those of what it started. */
function callsOf(root: string, args: readonly string[]): Call[] {
  const file = path.join(newFolder('trace'), 'calls')
  const calls = 'trace=%file,clone,clone3,fork,vfork,fchdir'
  const program = [process.execPath, builtFed, ...args]
  spawnSync('strace', ['-f', '-s', '4096', '-e', calls, '-e', 'signal=none', '-o', file, ...program], {
    cwd: root,
    timeout: 120_000,
    env: { HOME: root, PATH: systemPath, FED_DURABILITY: 'process', FED_TELEMETRY_ENABLED: 'false' },
  })
  const lines = joined(readFileSync(file, 'utf8').split('\n'))
  const [main] = lines
  const others = new Set(
    lines.filter(({ pid, name }) => name === 'execve' && pid !== main?.pid).map(({ pid }) => pid),
  )
  const parents = new Map(
    lines.flatMap(({ pid, name, text }): [string, string][] => {
      const [, child] = /^(?:clone3?|v?fork)$/.test(name) ? (/ = (\d+)$/.exec(text) ?? []) : []
      return child === undefined ? [] : [[child, pid]]
    }),
  )
  const isOwn = (pid: string): boolean => {
    if (others.has(pid)) return false
    const parent = parents.get(pid)
    return pid === main?.pid || (parent !== undefined && isOwn(parent))
  }
  return lines.filter(({ pid }) => isOwn(pid))
}

/** The calls of a trace, each with its end where others came between. */
function joined(lines: readonly string[]): Call[] {
  const begun = new Map<string, string>()
  return lines.flatMap((line): Call[] => {
    const [, pid = '', rest = ''] = /^(\d+)\s+(.*)$/.exec(line) ?? []
    const open = / <unfinished \.\.\.>$/.exec(rest)
    if (open !== null) {
      begun.set(pid, rest.slice(0, open.index))
      return []
    }
    const text = rest.replace(/^<\.\.\. \w+ resumed>/, () => begun.get(pid) ?? '')
    const [, name] = /^(\w+)\(/.exec(text) ?? []
    return name === undefined ? [] : [{ pid, name, text }]
  })
}

const looks =
  /^(?:access|faccessat2?|stat|lstat|newfstatat|statx|readlink|inotify_add_watch|statfs|getcwd|execve)$/

describe.skipIf(!hasStrace)('a command follows no link below .fed', () => {
  let root: string

  beforeAll(async () => {
    root = await newFederation({ docs: 'Document the source' })
    await fedDone(root, ['send', 'docs', '--type', 'report', '--subject', 'News'])
  })

  test.each([
    [['status', 'docs']],
    [['inbox', 'docs']],
    [['monitor']],
    [['learn', 'A constant', '--team', 'docs']],
    [['send', 'docs', '--type', 'report', '--subject', 'More']],
    [['launch', '--team', 'docs', '--agent', agent('good'), '--timeout', '60s']],
    [['history', 'docs']],
    [['archive-signals', 'docs', '--older-than', '0s']],
    [['offboard', 'docs']],
  ])('%j', (args) => {
    const fed = path.join(execFileSync('realpath', [root]).toString().trim(), '.fed')
    const calls = callsOf(root, args)
    const held = calls.filter(({ text }) => /"\/proc\/(?:self|\d+)\/fd\/\d+\//.test(text))
    expect(held.length).toBeGreaterThan(0)
    const below = calls.filter(({ name, text }) => !looks.test(name) && text.includes(`"${fed}/`))
    for (const { pid, name, text } of below) {
      // by its path only a folder is opened, not followed, and then asked where it really lies
      expect(text).toMatch(/^open(?:at)?\(.*O_(?:DIRECTORY|PATH)/)
      expect(text).toMatch(/O_NOFOLLOW/)
      const [, descriptor] = / = (-?\d+)/.exec(text) ?? []
      if (Number(descriptor) < 0) continue
      const next = calls.slice(calls.findIndex((call) => call.text === text && call.pid === pid) + 1)
      const asked = next.find(
        (call) => call.text.includes(`/fd/${descriptor}"`) || call.text.includes(`/fd/${descriptor}/`),
      )
      expect([name, text, asked?.name]).toEqual([name, text, 'readlink'])
    }
    // what lies in a held folder is not followed either
    for (const { name, text } of held) if (/^open/.test(name)) expect(text).toMatch(/O_NOFOLLOW|O_EXCL/)
  })
})
