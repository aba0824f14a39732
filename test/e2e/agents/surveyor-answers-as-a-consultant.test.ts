// Proves that the embedded agent, without a model, is a consultant: it maps and indexes the code, and answers a question by
// the place, the calls and the body, saying how sure it is; what is not there it says. Fails when it answers what is absent,
// when an answer lacks the code that does it, or when a question fails the team.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { git } from '../../../src/platform/git/git.ts'
import { fedDone, fedJson, newRepository } from '../../support/fed.ts'
import { statusOf } from '../../support/standing.ts'

interface Mail {
  readonly subject: string
  readonly body: string
}

function shop(): string {
  const root = newRepository()
  mkdirSync(path.join(root, 'src/orders'), { recursive: true })
  const write = (name: string, text: string) => writeFileSync(path.join(root, 'src/orders', name), text)
  write(
    'place.ts',
    "import { reserve } from './stock.ts'\n\n/** Places an order and reserves what it holds. */\nexport function placeOrder(items: string[]): number {\n  return items.map(reserve).length + reserve('all')\n}\n",
  )
  write(
    'stock.ts',
    '/** Takes one item from the stock until the order is paid. */\nexport function reserve(item: string): number {\n  const left = item.length\n  return left - 1\n}\n',
  )
  git(root, 'add', '.')
  git(root, 'commit', '--quiet', '--message', 'Begin')
  return root
}

test('it answers where it can, says where it cannot, and goes on', async () => {
  const root = shop()
  await fedDone(root, ['init', '--yes'])
  await fedDone(root, ['onboard', 'code', '--archetype', 'consultant', '--mission', 'The orders'])
  const ask = async (question: string) => {
    await fedDone(root, ['send', 'code', '--type', 'question', '--subject', question])
    await fedDone(root, ['launch', '--team', 'code'])
    const mail = await fedJson<Mail[]>(root, ['inbox', 'meta'])
    return mail.find(({ subject }) => subject === `Answer: ${question}`)?.body
  }
  const answer = await ask('How is stock reserved for an order?')
  expect(answer).toMatch(/^(?:Likely|Perhaps): /)
  expect(answer).toContain('`placeOrder` calls `reserve` in `src/orders/place.ts:5`')
  expect(answer).toContain('export function reserve(item: string): number {')
  const absent = await ask('How is payment refunded?')
  expect(absent).toContain('This is not answered')
  expect(absent).toContain('“payment” stands in no identifier, comment or document of')
  expect(await statusOf(root, 'code')).toMatchObject({ state: 'ready' })
  expect(await ask('What does placeOrder do?')).toContain('`placeOrder` in `src/orders/place.ts:4`')
})
