// Proves that a dashboard opens and shows every team although one of them lies in ruins, and that acknowledging many
// signals at once goes on behind one that is gone. Fails when what is wrong with one keeps another from view.
import { rmSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { acts } from '../../../src/apps/web/dashboard/acts.ts'
import { serveDashboard } from '../../../src/apps/web/dashboard/dashboard-server.ts'
import { Federation } from '../../../src/federation/federation.ts'
import { newFederation } from '../../support/fed.ts'

test('a worktree whose folder is a file', async () => {
  const root = await newFederation()
  const federation = new Federation(root)
  for (const domain of ['api', 'web']) await federation.onboard({ domain, archetype: 'coding' })
  const { location } = federation.registry.entry('api')
  rmSync(location, { recursive: true })
  writeFileSync(location, 'not a folder\n')
  const dashboard = await serveDashboard(new Federation(root))
  try {
    const life = await fetch(new URL('teams/web/life', dashboard.url))
    expect(await life.json()).toMatchObject({ commits: [{ version: 1 }] })
  } finally {
    await dashboard.close()
  }
})

test('one of many signals was put away meanwhile', async () => {
  const federation = new Federation(await newFederation({ docs: undefined }))
  const report = { from: 'docs', to: 'meta', type: 'report' } as const
  const signals = await federation.sendMany(
    ['One', 'Two', 'Three'].map((subject) => ({ ...report, subject })),
  )
  const files = signals.map(({ file }) => file)
  rmSync(`${federation.mailbox('meta').inbox}/${files[1]}`)
  expect(await acts['acknowledge']?.(federation, 'meta', { signals: files })).toEqual({
    done: 'acknowledged 2 signals',
  })
  expect(federation.mailbox('meta').unacknowledged()).toEqual([])
})
