// Proves that of two that put the same lock of a killed git out of the way one does it: the slower never touches the
// lock that a git has made meanwhile, and none waits for ever. Fails when a lock is taken from its owner.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, expect, test } from 'vitest'
import { fed, fedDone, newFederation, newFolder, startFed } from '../support/fed.ts'
import { aged, asideOf, leave, minute, putAside } from '../support/git-leftovers.ts'
import { tries } from '../support/thorough.ts'
import { until } from '../support/until.ts'

let root: string
beforeEach(async () => {
  root = await newFederation()
})

const halting = fileURLToPath(new URL('../support/preload/halting.cjs', import.meta.url))

/** `fed doctor --fix` that stands still between its look at a lock and what it does to it. */
async function halted(points: { call: string; match: string }[]) {
  const folder = newFolder('halt')
  const [reached, go] = [path.join(folder, 'reached'), path.join(folder, 'go')]
  const env = {
    NODE_OPTIONS: `--require=${halting}`,
    FED_TEST_HALT: JSON.stringify({ points, reached, go }),
  }
  const { ended } = startFed(root, ['doctor', '--fix'], { env })
  await until('it to have looked', () => existsSync(reached))
  return {
    goOn: () => {
      writeFileSync(go, '')
      return ended
    },
  }
}

test('the slower never touches the one that a git has made meanwhile', async () => {
  const lock = leave(root, 'refs/heads/fed/code.lock', 11 * minute, 'dead')
  const slower = await halted([
    { call: 'renameSync', match: 'fed-aside' },
    { call: 'openSync', match: '\\.claim' },
  ])
  await fed(root, ['doctor', '--fix'])
  expect(existsSync(lock)).toBe(false)
  writeFileSync(lock, 'alive')
  const { ino, ctimeMs } = statSync(lock)
  await slower.goOn()
  // not even for a moment was it away
  expect(statSync(lock)).toMatchObject({ ino, ctimeMs })
  expect(readFileSync(lock, 'utf8')).toBe('alive')
  expect(putAside(root)).toEqual(['refs.heads.fed.code.lock'])
})

test('one waits for the other, and not for ever', async () => {
  const lock = leave(root, 'refs/heads/fed/code.lock', 11 * minute, 'dead')
  const slower = await halted([{ call: 'renameSync', match: 'fed-aside' }])
  await fedDone(root, ['onboard', 'code', '--archetype', 'coding'])
  expect(existsSync(lock)).toBe(false)
  const alive = leave(root, 'refs/heads/fed/code.lock', 0, 'alive')
  await slower.goOn()
  expect(readFileSync(alive, 'utf8')).toBe('alive')
  expect(putAside(root)).toEqual(['refs.heads.fed.code.lock'])
})

test('nobody loses a lock, however many are at it', async () => {
  const lock = path.join(root, '.git', 'refs', 'heads', 'main.lock')
  let lost = 0
  let made = 0
  const end = new AbortController()
  /** A git that makes its lock wherever there is none, holds it, and is killed. */
  const locker = async () => {
    while (!end.signal.aborted) {
      try {
        writeFileSync(lock, String(made), { flag: 'wx' })
      } catch {
        await new Promise((resolve) => setImmediate(resolve))
        continue
      }
      const { ino, ctimeMs } = statSync(lock)
      for (let look = 0; look < 20; look += 1) {
        const now = statSync(lock, { throwIfNoEntry: false })
        if (now?.ino !== ino || now.ctimeMs !== ctimeMs) lost += 1
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
      made += 1
      aged(lock, 11 * minute)
    }
  }
  const locking = locker()
  for (let round = 0; round < tries(2); round += 1)
    await Promise.all([1, 2, 3, 4].map(() => fed(root, ['doctor', '--fix'])))
  // each may have taken the gits of the others for the one that holds the lock; alone it meets none
  while (putAside(root).length === 0) await fed(root, ['doctor', '--fix'])
  end.abort()
  await locking
  expect(lost).toBe(0)
  const texts = readdirSync(asideOf(root)).map((name) => readFileSync(path.join(asideOf(root), name), 'utf8'))
  expect(new Set(texts).size).toBe(texts.length)
})
