// Proves that a post is known again in its channel without a mark: by its words as a chat product gives them back, by
// its place, and by how many say the same. It fails when what was said already is said twice, or when somebody else's
// words, or an earlier post of the same words, count as the one that is still to be said.
import { describe, expect, test } from 'vitest'
import type { ChatMessage, SaidPost } from '../../src/apps/chat/channel.ts'
import { digestOf, isAmong, isOwn } from '../../src/apps/chat/own-posts.ts'

const at = '2026-11-21T12:00:00.000Z'
const text = '· docs is paused; resume takes it back to "preparing" & on'
const message = (id: string, words: string, thread = 'root'): ChatMessage => ({
  ...{ id, thread, sender: 'bot', at, text: words },
})
const said = (id: string | null, thread: string | null = 'root', words = text): SaidPost => ({
  ...{ id, thread, at, digest: digestOf(words) },
})
const long = 'A summary with very many words. '.repeat(40)

describe('a post', () => {
  test.each([
    ['it is there', [message('m1', text)], [], true],
    [
      'it came back as HTML',
      [
        message(
          'm1',
          '<p>· docs is <b>paused</b>; resume takes it<br>back to &quot;preparing&quot; &amp; on</p>',
        ),
      ],
      [],
      true,
    ],
    ['it begins a thread, where there are none', [message('m1', text, 'm1')], [], true],
    [
      'one for another message is there, where there are none',
      [message('m1', text, 'm1')],
      [said(null, 'other')],
      false,
    ],
    ['nothing is there', [], [], false],
    ['it is in another thread', [message('m1', text, 'other')], [], false],
    ['somebody quotes it', [message('m1', `he said ${text}`)], [], false],
    ['only an earlier one is there, known by its id', [message('m1', text)], [said('m1')], false],
    ['it is there beside an earlier one', [message('m1', text), message('m2', text)], [said('m1')], true],
    ['only an earlier one is there, without an id', [message('m1', text)], [said(null)], false],
    ['it is there beside one without an id', [message('m1', text), message('m2', text)], [said(null)], true],
    ['an earlier one was in another thread', [message('m1', text)], [said(null, 'other')], true],
  ])('%s', (_, messages, earlier, isThere) => {
    expect(isAmong(messages, { thread: 'root', text }, earlier)).toBe(isThere)
  })

  test('of its own thread is no answer in one, and a long one may be cut', () => {
    const own = [message('m1', `${long.slice(0, 800)}… (show more)`, 'm1')]
    expect(isAmong(own, { thread: null, text: long }, [])).toBe(true)
    expect(isAmong([message('m1', long, 'root')], { thread: null, text: long }, [])).toBe(false)
  })
})

test.each([
  ['by its id, whatever became of its words', message('m1', 'edited'), [said('m1')], true],
  ['by its words where no id was told', message('m9', `<p>${text}</p>`), [said(null)], true],
  ['not by its words where its id was told', message('m9', text), [said('m1')], false],
  ['not in another thread', message('m9', text, 'other'), [said(null)], false],
])('a message is its own %s', (_, one, posts, isMine) => expect(isOwn(one, posts)).toBe(isMine))
