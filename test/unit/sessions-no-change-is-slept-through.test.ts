// Proves that whoever waits for a folder's next change hears of one that came while nobody waited, also when an earlier
// wait was given up for something else. Fails when a wait that was given up takes the change with it.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { changeQueue } from '../../src/agents/sessions/folder-changes.ts'
import { newFolder } from '../support/federation.ts'

test('a change that came behind a wait that was given up', async () => {
  const dir = newFolder('changes')
  const changes = changeQueue(dir)
  try {
    const givenUp = changes.next()
    await Promise.race([givenUp, Promise.resolve()])
    writeFileSync(path.join(dir, 'new'), '')
    // it has come by now, to nobody
    await givenUp
    await changes.next()
    let isTold = false
    const later = changes.next().then(() => (isTold = true))
    await new Promise((resolve) => setImmediate(resolve))
    expect(isTold).toBe(false)
    writeFileSync(path.join(dir, 'newer'), '')
    await later
  } finally {
    changes.end()
  }
})
