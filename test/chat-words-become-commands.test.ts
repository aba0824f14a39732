// Proves that what people say is understood whole or not at all: a mention is one only by itself, everyday words
// are commands, unknown teams are told the nearest, and prose that begins like a command does nothing. It fails
// when an address calls the federation, a "don't" is overheard, or a name that is no team goes on.
import { describe, expect, test } from 'vitest'
import { commandOf, meantBy } from '../src/chat/command-words.ts'
import { saidTo, withoutMentions } from '../src/chat/mention.ts'

describe('a mention', () => {
  test.each([
    ['@shop status', 'status'],
    ['status @shop', 'status'],
    ['Hey @Shop, pause docs', 'Hey  , pause docs'],
    ['(@shop) help', 'help'],
    ['@shop: status', 'status'],
    ['@shop', ''],
    ['That is done. @shop status', 'status'],
    ['thanks!\n@shop\ntell docs to\nhurry', 'tell docs to\nhurry'],
    ["@shop's teams", "'s teams"],
    ['To stop it, type: @shop pause docs', 'To stop it, type:   pause docs'],
    ['To stop it, type:\n@shop pause docs', 'To stop it, type:\n  pause docs'],
    ['with a command, e.g. @shop pause docs', 'with a command, e.g.   pause docs'],
    ['> docs is paused\n@shop resume docs', 'resume docs'],
    ['@shop tell docs to cover `a.ts`', 'tell docs to cover `a.ts`'],
    ['@shop tell docs:\n```\n@shop\n```\n> why?', 'tell docs:\n```\n@shop\n```\n> why?'],
  ])('%j says %j', (text, said) => expect(saidTo('shop', text)).toBe(said))

  test.each([
    'write to a@shop.org',
    'a@shop',
    '@shop.org is down',
    'npm i @shop/core',
    'https://example.org/@shop',
    '@shopping',
    '@shop-two status',
    '@@shop status',
    'type `@shop status`',
    '> @shop pause docs\nwhat did that do?',
    '```\n@shop status\n```',
    'user@shop:8080',
  ])('is not in %j', (text) => expect(saidTo('shop', text)).toBeUndefined())

  test('may be of several words, with signs that mean something elsewhere', () => {
    expect(saidTo('Shop (Bot) 2.0', 'ok @shop (bot)  2.0 status')).toBe('ok   status')
  })

  test('is nowhere in what the bridge says, whoever is meant, and addresses stay', () => {
    const text = withoutMentions('@shop: ann@shop.org said "@other, @shop"')
    expect(text).toBe('shop: ann@shop.org said "other, shop"')
    expect(saidTo('shop', text)).toBeUndefined()
  })
})

const teams = ['docs', 'api', 'site-map']
const control = (kind: string, ...named: string[]) => ({ kind, teams: named, all: false })

describe('a command', () => {
  test.each([
    ['status', { kind: 'status', teams: [] }],
    ["How's it going?", { kind: 'status', teams: [] }],
    ['where do we stand?', { kind: 'status', teams: [] }],
    ['status of docs and api', { kind: 'status', teams: ['docs', 'api'] }],
    ['what is docs doing?', { kind: 'status', teams: ['docs'] }],
    ['docs?', { kind: 'status', teams: ['docs'] }],
    ['pause docs', control('pause', 'docs')],
    ['Could you please pause the docs team, thanks!', control('pause', 'docs')],
    ['stop docs, api & site-map now', control('pause', 'docs', 'api', 'site-map')],
    ['hold everything', { kind: 'pause', teams: [], all: true }],
    ['carry on with docs', control('resume', 'docs')],
    ['kick off api', control('launch', 'api')],
    ['archive docs', control('archive', 'docs')],
    ['bring back docs', control('restore', 'docs')],
    ['tell docs to Cover the importer', { kind: 'tell', teams: ['docs'], text: 'Cover the importer' }],
    ['Tell docs, api: two\nlines', { kind: 'tell', teams: ['docs', 'api'], text: 'two\nlines' }],
    ['tell all to hurry', { kind: 'tell', teams, text: 'hurry' }],
    ['tell docs to stop', control('pause', 'docs')],
    ['ask docs which port?', { kind: 'ask', teams: ['docs'], text: 'which port?' }],
    ['anything for me?', { kind: 'inbox' }],
    ['what can you do?', { kind: 'help' }],
    ['', { kind: 'help' }],
    ['any updates?', { kind: 'status', teams: [] }],
    ['Which teams are there?', { kind: 'status', teams: [] }],
    ['is docs done yet?', { kind: 'status', teams: ['docs'] }],
    ['tell me how docs is doing', { kind: 'status', teams: ['docs'] }],
    ['ask docs for an update', { kind: 'status', teams: ['docs'] }],
    ['tell docs status', { kind: 'status', teams: ['docs'] }],
    ['docs: status 🙏', { kind: 'status', teams: ['docs'] }],
    ['docs, please pause', control('pause', 'docs')],
    ['/pause **docs** for now 🙏', control('pause', 'docs')],
    ['ask docs to pause', control('pause', 'docs')],
    ['ask docs to cover the importer', { kind: 'tell', teams: ['docs'], text: 'cover the importer' }],
    ['ask docs to tell us which port', { kind: 'ask', teams: ['docs'], text: 'to tell us which port' }],
    ['tell all the teams to hurry', { kind: 'tell', teams, text: 'hurry' }],
    ['what do I need to do?', { kind: 'inbox' }],
    ['are you there?', { kind: 'help' }],
    ['ok great, thanks a lot!', { kind: 'thanks' }],
    ['👍', { kind: 'thanks' }],
    ['pause', { kind: 'incomplete', verb: 'pause' }],
    ['tell docs', { kind: 'incomplete', verb: 'tell' }],
    ['pause `docs`', control('pause', 'docs')],
    ['pause docs\n> bob: what now?', control('pause', 'docs')],
  ])('%j is understood', (said, command) => expect(commandOf(said, teams)).toEqual(command))

  test('without a name means the only team that there is', () => {
    expect(commandOf('pause', ['docs'])).toEqual(control('pause', 'docs'))
    expect(commandOf('pause `api`', ['docs'])).toMatchObject({ kind: 'unknown-team', given: 'api' })
    expect(commandOf('hold on', ['docs'])).toMatchObject({ kind: 'free' })
  })

  test.each([
    ['pasue docs', 'pause docs'],
    ['please laucnh api and docs', 'launch api and docs'],
    ['statsu', 'status'],
    ['remove docs', undefined],
    ['go', undefined],
  ])('%j is taken for a misspelt %j', (said, meant) => {
    expect(commandOf(said, teams)).toMatchObject({ kind: 'free' })
    expect(meantBy(said, teams)).toBe(meant)
  })

  test('is read in little time, however its signs are heaped up', () => {
    for (const sign of ['!', '? ', '`', '> ', '@', 'ok ', '@shop '])
      for (const text of [`${sign.repeat(16_000)}x`, `tell docs ${sign.repeat(10_000)}x`])
        commandOf(saidTo('shop', `@shop ${text}`) ?? '', teams)
  })

  test.each([
    ['pause dcos', 'dcos', 'docs'],
    ['pause docs and apii', 'apii', 'api'],
    ['tell sitemap to hurry', 'sitemap', 'site-map'],
    ['launch nobody-knows', 'nobody-knows', null],
    ['pause docs and web', 'web', null],
    ['tell bob that docs is done', 'bob', null],
    ['tell docs and bob to hurry', 'bob', null],
    ['tell docs, apii to hurry', 'apii', 'api'],
  ])('%j names a team that there is not, and nothing is done for others', (said, given, nearest) => {
    expect(commandOf(said, teams)).toEqual({ kind: 'unknown-team', given, nearest })
  })

  test.each([
    "don't pause docs",
    'should I pause docs?',
    'pause docs?',
    'pause the rollout of docs until tomorrow',
    'pause docs and launch api',
    'run the tests',
    'pause docs until tomorrow',
    'pause docs at 5pm',
    'pause everyone except docs',
    'pause docs, not api',
    'pause docs, resume api',
    'launch docs with claude',
    'pause docs if it fails',
    'I think we should pause docs',
    'never mind',
    'and now?',
    'docs, which port?',
    'pause dоcs',
    'tell me about docs',
    'please summarise what docs found',
    'status of the build pipeline',
    'launch ../../etc/passwd',
    'pause docs; rm -rf /',
    'archive __proto__',
  ])('%j is left to whoever understands more', (said) => {
    expect(commandOf(said, teams)).toMatchObject({ kind: 'free' })
  })
})
