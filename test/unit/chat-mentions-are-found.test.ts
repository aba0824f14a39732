// Proves that a mention is one only by itself, however a chat product marks it, and that nothing that the bridge says is
// one. It fails when an address, a quotation or code calls the federation, or when the bridge calls itself.
import { describe, expect, test } from 'vitest'
import { saidTo, withoutMentions } from '../../src/apps/chat/mention.ts'
import { spoken } from '../../src/apps/chat/post-text.ts'

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
    ['<at>Shop</at> status', 'status'],
    ['<at id="0">shop</at>&nbsp;status', 'status'],
    ['<p>Done.</p><p><at id="0">Shop</at>&nbsp;pause docs &amp; api</p>', 'pause docs & api'],
    ['<div>hey <at>shop</at>: what&#39;s up?<br></div>', "hey    : what's up?"],
    ['<@shop> status', 'status'],
    ['<@U0123|shop> status', 'status'],
    ['@shop pause ~~docs~~ api', 'pause   api'],
    ['<p><at>shop</at> pause <s>docs and</s> api</p>', 'pause   api'],
    ['@shop look into ~/a ~/b', 'look into ~/a ~/b'],
    ['<blockquote><p><at>shop</at> archive docs</p></blockquote><p><at>shop</at> pause api</p>', 'pause api'],
    ['<h3><at>shop</at> status</h3>', 'status'],
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
    '<at>other</at> status',
    '`<at>shop</at> status`',
    '<p><blockquote><at>shop</at> status</blockquote>is what he said</p>',
    'ann<at>shop</at',
    '~@shop archive docs~',
    '<p>So it is done.</p><p><s><at>shop</at> archive docs</s></p>',
    '<p>So it is done.</p><p><code>@shop archive docs</code></p>',
    '<p>So it is done.</p><pre>@shop archive docs</pre>',
    '<codeblock class=""><code><at>shop</at> archive docs</code></codeblock>',
    '<blockquote>a<blockquote>b</blockquote><p><at>shop</at> archive docs</p></blockquote><p>no</p>',
  ])('is not in %j', (text) => expect(saidTo('shop', text)).toBeUndefined())

  test('may be of several words, with signs that mean something elsewhere', () => {
    expect(saidTo('Shop (Bot) 2.0', 'ok @shop (bot)  2.0 status')).toBe('ok   status')
  })

  test('is nowhere in what the bridge says, whoever is meant, and addresses stay', () => {
    const text = withoutMentions('@shop: ann@shop.org said "@other, @shop"')
    expect(text).toBe('shop: ann@shop.org said "other, shop"')
    expect(saidTo('shop', text)).toBeUndefined()
  })

  test.each([
    '<at>shop</at> status',
    '<p><at id="1">shop</at></p>',
    '<@shop> status',
    '<p>@<b></b>shop status</p>',
    '<p>&#64;shop status, &#x40;shop</p>',
    '<<at>shop</at>at>shop</at>',
    '<at><at>shop</at></at> status',
    '@\u0007shop status',
    '@\u202Eshop status',
  ])('is not left in %j when the bridge says it', (text) => {
    expect(saidTo('shop', spoken(text))).toBeUndefined()
  })
})
