// Proves that no commit of an agent's within walls is lost, and the real repository stays whole, when whoever takes
// it over is killed with all of its processes at any of its calls of git, or in itself at any change of a file. It fails
// when a commit is neither in the real repository after the mission nor aside, or when what is left blocks the next.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { missionOf } from '../../src/platform/private-git/place.ts'
import { takeOver } from '../../src/platform/private-git/commit-takeover.ts'
import { bundle } from '../support/bundle.ts'
import { newFolder } from '../support/fed.ts'
import { interrupted } from '../support/interrupted-calls.ts'
import { commit, privateTeam, team, type PrivateTeam } from '../support/private-git.ts'
import { everyCall, someOf } from '../support/thorough.ts'
import { hasWalls } from '../support/walls.ts'

/** What an agent commits in every way that git knows; all of its commits. */
function committed({ inside }: PrivateTeam): string[] {
  return inside(`
    ${commit('one')}; ${commit('two')}; echo more >> two.txt; git commit -q -a --amend -m Amended; git rev-parse HEAD
    git switch -q -c side; ${commit('three')}; git tag -a -m T mine; git reset -q --hard HEAD~1; ${commit('four')}
    git switch -q fed/api; echo a >> app.ts; git stash -q; git rev-parse stash; echo b >> app.ts; git stash -q; git rev-parse stash
    git switch -q other; ${commit('five')}; git switch -q --detach; ${commit('six')}; git switch -q fed/api`).split(
    '\n',
  )
}

/** A folder with a git that kills its process group at one of the calls from outside of walls, and notes them all. */
function killing(number: number, moment: string): { readonly bin: string; readonly calls: () => string[] } {
  const bin = newFolder('bin')
  const log = path.join(bin, 'calls')
  writeFileSync(log, '')
  const kill = (when: string) =>
    when === moment ? `[ "$(wc -l < ${log})" -eq ${number} ] && kill -KILL 0` : ':'
  writeFileSync(
    path.join(bin, 'git'),
    `#!/bin/sh\n[ -w ${log} ] || exec /usr/bin/git "$@"\nfor a; do case "$a" in -c|*=*) ;; *) echo "$a" >> ${log}; break;; esac; done\n` +
      `${kill('before')}\n/usr/bin/git "$@"; code=$?\n${kill('after')}\nexit $code\n`,
    { mode: 0o755 },
  )
  return { bin, calls: () => readFileSync(log, 'utf8').trim().split('\n') }
}

async function run({ root, workTree }: PrivateTeam, what: string, bin?: string) {
  const file = await bundle('support/private-git-program.ts')
  const env = bin === undefined ? {} : { PATH: `${bin}${path.delimiter}${process.env.PATH}` }
  const child = spawn(process.execPath, [file, root, workTree, what], {
    // a process group of its own
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  return { code, signal, said }
}

/** That the next session works, and all that was committed is in the real repository once the mission is over. */
function proveKept(killed: PrivateTeam, what: string, commits: readonly string[]): void {
  const { inside, outside, begin, one } = killed
  if (missionOf(one.place) !== undefined) takeOver(one, { team, bases: [] }, { isToBeThere: false })
  expect(begin(what === 'end' ? 'first' : what)).toEqual([])
  const last = inside(`git switch -q fed/api; ${commit('last')}`)
  takeOver(one, { team, bases: [] })
  expect(outside('rev-parse', 'fed/api')).toBe(last)
  expect(begin('another')).toEqual([])
  const held = new Set(outside('rev-list', '--all').split('\n'))
  expect(commits.filter((each) => !held.has(each))).toEqual([])
  expect(outside('fsck')).not.toMatch(/error|missing|broken/)
}

const cases = ['end', 'first', 'second'].flatMap((what) =>
  (['before', 'after'] as const).map((moment) => ({ what, moment })),
)

describe.runIf(hasWalls)('killed', () => {
  test.each(someOf(cases, 1))('$moment any git of $what, nothing is lost', async ({ what, moment }) => {
    const whole = await privateTeam()
    committed(whole)
    const { bin, calls } = killing(0, 'never')
    expect(await run(whole, what, bin)).toEqual({ code: 0, signal: null, said: '' })
    const points = calls().map((_, at) => at + 1)
    expect(points.length).toBeGreaterThanOrEqual(2)
    for (const number of someOf(points, 2)) {
      const killed = await privateTeam()
      const commits = committed(killed)
      const { signal } = await run(killed, what, killing(number, moment).bin)
      expect([number, signal]).toEqual([number, 'SIGKILL'])
      proveKept(killed, what, commits)
    }
  })

  const { first, stride } = everyCall(40)
  test.each(someOf(cases, 1))(
    '$moment any change of a file by $what, nothing is lost',
    async ({ what, moment }) => {
      const act = async ({ begin, one }: PrivateTeam) =>
        void (what === 'end' ? takeOver(one, { team, bases: [] }) : begin(what))
      for (let call = first; ; call += stride) {
        const killed = await privateTeam()
        const commits = committed(killed)
        if (!(await interrupted({ call, when: moment }, () => act(killed)))) break
        proveKept(killed, what, commits)
      }
    },
  )
})
