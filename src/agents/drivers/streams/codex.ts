import type { Listener } from '../driver.ts'
import { complaint } from '../agent-error.ts'
import { amountAt, dispatch, listAt, textAt } from './json.ts'
import type { StreamReader } from './stream-reader.ts'

/** `codex exec --json`. */
export function codexStream(report: Listener): StreamReader {
  let tokens = 0
  const complain = (words: string | undefined) => {
    const found = words === undefined ? undefined : complaint(words)
    if (found !== undefined) report(found)
  }
  const events: Readonly<Record<string, (event: object) => void>> = {
    'thread.started'(event) {
      const id = textAt(event, 'thread_id')
      if (id !== undefined) report({ kind: 'session', id })
    },
    'turn.completed'(event) {
      tokens += amountAt(event, 'usage', 'input_tokens') + amountAt(event, 'usage', 'output_tokens')
      report({ kind: 'usage', usage: { tokens } })
    },
    'item.completed'(event) {
      if (textAt(event, 'item', 'type') !== 'file_change') return
      if (textAt(event, 'item', 'status') !== 'completed') return
      for (const change of listAt(event, 'item', 'changes'))
        report({ kind: 'wrote', tool: 'file_change', path: textAt(change, 'path') ?? null })
    },
    'turn.failed': (event) => complain(textAt(event, 'error', 'message')),
    // attempts that are made again are told by the same event: only the end of the turn is believed
  }
  return (event) => dispatch(events, event)
}
