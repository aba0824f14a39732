import type { Listener } from '../driver.ts'
import { complaint } from '../agent-error.ts'
import { amountAt, dispatch, textAt } from './json.ts'
import type { StreamReader } from './stream-reader.ts'

/** `goose run --output-format stream-json`. */
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
    // it names its session at its end, or never: that it says anything proves that it took the name it was given
    if (session !== undefined) report({ kind: 'session', id: session })
    dispatch(events, event)
  }
}
