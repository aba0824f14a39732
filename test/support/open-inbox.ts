import { utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { SignalMessage } from '../../src/protocol/signal.ts'
import { Mailbox } from '../../src/records/signals/mailbox.ts'
import { workspaceOf } from './fed.ts'

const base: SignalMessage = {
  id: '6f1c2f0e-3d5b-4b70-9a51-0c2b7a4e8f11',
  timestamp: '2026-01-01T00:00:00.000Z',
  from: 'meta',
  to: 'docs',
  type: 'report',
  subject: 'Ports are open',
  body: 'All of them',
  protocol: 'file-signal-v1',
}
let count = 0

type Change = Partial<Record<keyof SignalMessage, unknown>>

/** A whole signal of its own. */
export function signal(change: Change = {}): SignalMessage {
  count += 1
  return {
    ...base,
    id: `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`,
    ...change,
  } as SignalMessage
}

export const textOf = (change: Change = {}) => JSON.stringify(signal(change))

/** A directive that lies beside what is bad, and must be handled whatever that is. */
export const good = () =>
  signal({ type: 'directive', subject: 'Explain the ports', timestamp: '2026-01-02T00:00:00Z' })

/** Makes it look as if nobody had written to a file for a minute. */
export function settle(file: string | Buffer): void {
  const minuteAgo = Date.now() / 1000 - 60
  utimesSync(file, minuteAgo, minuteAgo)
}

/** The inbox of `docs` as other programs see it: a folder into which anybody puts anything. */
export class OpenInbox {
  readonly docs: Mailbox
  readonly inbox: string

  constructor(root: string) {
    this.docs = new Mailbox('docs', workspaceOf(root, 'docs'))
    this.inbox = this.docs.inbox
  }

  /** Puts a file into the inbox as if it had been there for long. */
  put = (name: string, content: string | Buffer): string => {
    const file = path.join(this.inbox, name)
    writeFileSync(file, content)
    settle(file)
    return file
  }
}
