import type { Listener } from '../driver.ts'
import { complaint } from '../complaint.ts'
import { amountAt, textAt } from './json.ts'
import type { StreamReader } from './listen.ts'

/** `goose run --output-format stream-json`. */
export function gooseStream(report: Listener): StreamReader {
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
  return (event) => events[textAt(event, 'type') ?? '']?.(event)
}
