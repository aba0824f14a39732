// Proves that a session which uses up more of the machine than its walls let it is ended at once, with all that it
// started, and that record, status and meta say why. It fails when such a session goes on, or ends as if by itself.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { agent, fed, fedDone, newFederation, workspaceOf } from '../../support/fed.ts'
import { mailOf, statusOf } from '../../support/standing.ts'
import { hasWalls } from '../../support/walls.ts'

const limited = async (limits: object) => {
  const root = await newFederation({ docs: 'Document the source' })
  writeFileSync(path.join(root, 'federate.config.json'), JSON.stringify({ confinement: { limits } }))
  await fedDone(root, ['trust', '--yes'])
  return root
}
const launch = (root: string, ...words: string[]) =>
  fed(root, ['launch', '--team', 'docs', '--max-sessions', '1', '--agent', agent('greedy', ...words)])
const recorded = (root: string, name: string) =>
  readFileSync(path.join(workspaceOf(root, 'docs'), '.fed', 'sessions', name), 'utf8')

describe.runIf(hasWalls)('within walls', () => {
  test.each([
    ['processes', { processes: 40 }, 'too-many-processes', 'more than 40 processes at once'],
    ['disk', { disk: '20MB' }, 'disk-used-up', 'added more than 20MB to its folders'],
  ])(
    'a session that uses up too many of its %s is ended, and it is said why',
    async (what, limits, cause, words) => {
      const root = await limited(limits)
      const { code, stderr } = await launch(root, what, '60')
      expect([code, stderr]).toEqual([5, expect.stringContaining(words)])
      expect(stderr).toContain('raise confinement.limits in federate.config.json')
      expect(JSON.parse(recorded(root, '1-1.end.json'))).toMatchObject({ cause })
      expect(await statusOf(root, 'docs')).toMatchObject({ state: 'paused' })
      expect(await mailOf(root, 'meta')).toContainEqual(
        expect.objectContaining({ type: 'alert', body: expect.stringContaining(words) }),
      )
    },
  )

  test('what a coding team adds to its repository counts', async () => {
    const root = await limited({ disk: '20MB' })
    await fedDone(root, ['onboard', 'api', '--archetype', 'coding', '--mission', 'Change the answer'])
    const agents = ['--max-sessions', '1', '--agent', agent('greedy', 'git', '60')]
    const { code, stderr } = await fed(root, ['launch', '--team', 'api', ...agents])
    expect([code, stderr]).toEqual([5, expect.stringContaining('added more than 20MB to its folders')])
  })

  test('no file in a folder of its own grows beyond what all of them may have', async () => {
    const root = await limited({ disk: '20MB' })
    const ended = launch(root, 'file', '60')
    const { code } = await ended
    expect(code).not.toBe(0)
    expect(recorded(root, '1-1.log')).toMatch(/refused: E(?:FBIG|NOSPC)/)
  })
})
