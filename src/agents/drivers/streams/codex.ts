import type { Listener } from '../driver.ts'
import { complaint } from '../agent-error.ts'
import { amountAt, dispatch, listAt, textAt } from './json.ts'
import type { StreamReader } from './stream-reader.ts'

/**
 * Reads the events of `codex exec --json`. Reports the session (`thread.started`), tokens (`turn.completed`),
 * written files (`item.completed`), and a limit or a refusal (`turn.failed`).
 */
export function codexStream(report: Listener): StreamReader {
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
      // of the whole session, with the runs before
      const tokens = amountAt(event, 'usage', 'input_tokens') + amountAt(event, 'usage', 'output_tokens')
      if (tokens > 0) report({ kind: 'usage', total: { tokens } })
    },
    'item.completed'(event) {
      if (textAt(event, 'item', 'type') !== 'file_change') return
      if (textAt(event, 'item', 'status') !== 'completed') return
      for (const change of listAt(event, 'item', 'changes'))
        report({ kind: 'wrote', tool: 'file_change', path: textAt(change, 'path') ?? null })
    },
    'turn.failed': (event) => complain(textAt(event, 'error', 'message')),
    // `error` events are not read: codex also sends them for attempts that it repeats
  }
  return (event) => dispatch(events, event)
}
