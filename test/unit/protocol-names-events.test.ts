// Proves that every subject, however odd, has one defined event and file name. It fails when a name could leave
// its folder, exceed what file systems take, or let a reserved event into a machine.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compactTimestamp, eventOf, fileNamesOf, kebab } from '../../src/protocol/event-name.ts'
import { PROTOCOL, signalTypes, type SignalMessage } from '../../src/protocol/signal.ts'

const id = '6f1c2f0e-3d5b-4b70-9a51-0c2b7a4e8f11'

function signal(subject: string, type: SignalMessage['type'] = 'report'): SignalMessage {
  const timestamp = '2026-11-20T23:05:01.042Z'
  return { id, timestamp, from: 'docs', to: 'docs', type, subject, body: '', protocol: PROTOCOL }
}

describe('a subject in kebab-case', () => {
  it.each([
    ['Files read', 'files-read'],
    ['files-read', 'files-read'],
    ['  API v2.1 (draft)! ', 'api-v2-1-draft'],
    ['Größe der Übersicht', 'größe-der-übersicht'],
    ['仕様を読む', '仕様を読む'],
    ['e\u0301tude', 'étude'],
    ['İstanbul', 'i̇stanbul'],
    ['', 'untitled'],
    ['!!! 🚀 ---', 'untitled'],
    ['../../etc/passwd', 'etc-passwd'],
    ['xstate.done.state.x', 'xstate-done-state-x'],
    ['pause', 'pause'],
    ['*', 'untitled'],
    ['.', 'untitled'],
  ])('turns %j into %j', (subject, expected) => {
    expect(kebab(subject)).toBe(expected)
  })

  it('cuts an endless subject between characters', () => {
    const cut = kebab('é'.repeat(10_000))
    expect(cut).toBe('é'.repeat(60))
    expect(kebab(`${'word '.repeat(24)}x`)).not.toMatch(/-$/)
  })

  it('is the same for whatever was already in kebab-case', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (subject) => kebab(kebab(subject)) === kebab(subject)),
    )
  })
})

describe('an event', () => {
  it('always bears its type, so that no reserved event enters a machine', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom(...signalTypes), (subject, type) => {
        const event = eventOf({ type, subject })
        expect(event.startsWith(`${type}.`)).toBe(true)
        expect(event.slice(type.length + 1)).toMatch(/^[^.*/\\\s]+$/u)
      }),
    )
  })
})

describe('a signal file', () => {
  it('is named by time, type and subject in the shape of the specification', () => {
    expect(fileNamesOf(signal('Files read'))).toEqual([
      '2026-11-20T230501Z-report-files-read.json',
      '2026-11-20T230501Z-report-files-read-7a4e8f11.json',
      `2026-11-20T230501Z-report-files-read-${id}.json`,
    ])
  })

  it('tells the second in UTC, whatever zone the timestamp names', () => {
    expect(compactTimestamp('2026-11-21T01:05:01.9+02:00')).toBe('2026-11-20T230501Z')
  })

  it('has a name that every file system takes, together with its acknowledgment', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (subject) => {
        for (const name of fileNamesOf(signal(subject, 'directive'))) {
          expect(Buffer.byteLength(`${name}.ack`)).toBeLessThanOrEqual(255)
          expect(name).not.toMatch(/[/\\\0]/)
        }
      }),
    )
  })
})
