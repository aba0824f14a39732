import type { Listener } from '../driver.ts'
import { complaint } from '../agent-error.ts'
import { amountAt, dispatch, textAt } from './json.ts'
import type { StreamReader } from './stream-reader.ts'

/**
 * Reads the events of `goose run --output-format stream-json`. Reports the session, tokens (`complete`), and
 * a limit or a refusal (`error`).
 * @param session id of the session, where fed passed it on the command line.
 */
export function gooseStream(report: Listener, session?: string): StreamReader {
  const events: Readonly<Record<string, (event: object) => void>> = {
    error(event) {
      const found = complaint(textAt(event, 'error') ?? '')
      if (found !== undefined) report(found)
    },
    complete(event) {
      const tokens = amountAt(event, 'total_tokens')
      if (tokens > 0) report({ kind: 'usage', usage: { tokens } })
    },
  }
  return (event) => {
    // no event that is read here names the session: that goose prints any shows that it took the given id
    if (session !== undefined) report({ kind: 'session', id: session })
    dispatch(events, event)
  }
}
