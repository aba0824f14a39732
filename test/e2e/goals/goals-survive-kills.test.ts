// Proves that a goal ends in the same result however often everything that works on it is killed at once: the command, its
// sessions and their agents, in the middle of whatever they do. Fails when a task is lost or done twice, when a session is
// left behind, or when the result differs from that of a goal that nobody disturbed.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { beforeAll, describe, expect, test } from 'vitest'
import { Federation } from '../../../src/federation/federation.ts'
import { git } from '../../../src/platform/git/git.ts'
import { federationLayout } from '../../../src/protocol/folder-layout.ts'
import { Random } from '../../simulation/random.ts'
import { builtFed, fedJson, newFolder, newRepository } from '../../support/fed.ts'
import { cutAfter, Disk, hasStrace, traced } from '../../support/power-cut.ts'
import { isThorough, seed, tries } from '../../support/thorough.ts'

/** So often the power goes while one goal is worked on. */
const mostCuts = isThorough ? 6 : 1

/** So often one goal is killed at most. */
const mostKills = isThorough ? 12 : 3

let template = ''
let undisturbed = ''
let tookMs = 0
const goal = ['goal', 'Document this repository', '--json']

beforeAll(async () => {
  template = newRepository()
  for (const folder of ['store', 'rules', 'pages']) {
    mkdirSync(path.join(template, folder))
    for (let at = 0; at < 5; at += 1)
      writeFileSync(path.join(template, folder, `${folder}${at}.ts`), `export const ${folder}${at} = ${at}\n`)
  }
  git(template, 'add', '.')
  git(template, 'commit', '--quiet', '--message', 'Begin')
  const root = copyOf()
  const begun = performance.now()
  await fedJson(root, goal)
  tookMs = performance.now() - begun
  undisturbed = resultOf(root)
})

function copyOf(): string {
  // of one name: the name of the folder stands in the documents
  const root = path.join(newFolder('killed'), 'shop')
  cpSync(template, root, { recursive: true })
  return root
}

function resultOf(root: string): string {
  const folder = path.join(root, '.fed', 'teams')
  const teams = readdirSync(folder)
    .filter((name) => name.startsWith('document-this'))
    .toSorted()
  return teams.map((team) => readFileSync(path.join(folder, team, 'deliverable.md'), 'utf8')).join('\n')
}

/**
 * Begins the command as the leader of a group of its own, and kills the group after a time, or lets it end.
 * @returns whether it told the end.
 */
async function killedAfter(root: string, ms: number): Promise<boolean> {
  const child = spawn(process.execPath, [builtFed, ...goal, '--quiet'], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, FED_DURABILITY: 'process' },
  })
  let said = ''
  child.stdout.on('data', (part: Buffer) => (said += part.toString()))
  const ended = once(child, 'close')
  const timer = setTimeout(() => process.kill(-(child.pid as number), 'SIGKILL'), ms)
  await ended
  clearTimeout(timer)
  return said.trimEnd().endsWith('}')
}

test.each(Array.from({ length: tries(12) }, (_, at) => at))('killed again and again, %i', async (at) => {
  const random = new Random(seed + at)
  const root = copyOf()
  let isOver = false
  for (let kills = 0; !isOver && kills < mostKills; kills += 1)
    isOver = await killedAfter(root, Math.floor((random.next() * tookMs) / 2))
  if (!isOver) await fedJson(root, goal)
  expect(resultOf(root)).toBe(undisturbed)
  const federation = new Federation(root)
  const teams = federation.registry.read().teams.filter(({ coordinator }) => coordinator === 'document-this')
  expect(teams.map(({ domainId }) => domainId).toSorted()).toEqual([
    'document-this-pages',
    'document-this-rules',
    'document-this-store',
  ])
  for (const entry of teams) {
    const told = (await federation.openEntry(entry)).history('all')
    const accepted = (event: string) =>
      told.filter((one) => one.event === event && one.outcome === 'accepted')
    expect([entry.domainId, accepted('report.document-written').length]).toEqual([entry.domainId, 1])
  }
})

describe.runIf(hasStrace)('a power cut', () => {
  test.each(Array.from({ length: tries(6) }, (_, at) => at))(
    'takes nothing that the result needs, %i',
    async (at) => {
      const random = new Random(seed + at)
      const root = copyOf()
      const log = path.join(newFolder('calls'), 'calls')
      let taken = 0
      for (let cuts = 0; cuts < mostCuts; cuts += 1) {
        const whole = traced(log, [process.execPath, builtFed, ...goal, '--quiet'])
        await cutAfter(whole, { cwd: root, ms: Math.floor(random.next() * tookMs * 2), log })
        taken += new Disk(log).cut(path.join(root, '.fed'), random).length
        // the machine starts again
        writeFileSync(
          federationLayout(root).boot,
          '{"format":"fed-boot-1","id":"another run of the machine"}',
        )
      }
      await fedJson(root, goal)
      expect(resultOf(root)).toBe(undisturbed)
      expect(taken).toBeGreaterThan(0)
    },
  )
})
