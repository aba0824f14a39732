import type { Listener } from '../driver.ts'
import { complaint } from '../agent-error.ts'
import { amountAt, dispatch, textAt } from './json.ts'
import type { StreamReader } from './stream-reader.ts'

const writing = ['write_file', 'replace']

/**
 * Reads the events of `gemini -o stream-json`. Reports the session (`init`), tokens (`result`), written files
 * (`tool_result`), and a limit or a refusal (`error`, `result`).
 */
export function geminiStream(report: Listener): StreamReader {
  const calls = new Map<string, { tool: string; path: string | null }>()
  const complain = (words: string | undefined) => {
    const found = words === undefined ? undefined : complaint(words)
    if (found !== undefined) report(found)
  }
  const events: Readonly<Record<string, (event: object) => void>> = {
    init(event) {
      const id = textAt(event, 'session_id')
      if (id !== undefined) report({ kind: 'session', id })
    },
    tool_use(event) {
      const [id, tool] = [textAt(event, 'tool_id'), textAt(event, 'tool_name')]
      if (id === undefined || tool === undefined || !writing.includes(tool)) return
      calls.set(id, { tool, path: textAt(event, 'parameters', 'file_path') ?? null })
    },
    tool_result(event) {
      const call = calls.get(textAt(event, 'tool_id') ?? '')
      if (call !== undefined && textAt(event, 'status') === 'success') report({ kind: 'wrote', ...call })
    },
    error(event) {
      if (textAt(event, 'severity') !== 'warning') complain(textAt(event, 'message'))
    },
    result(event) {
      const tokens = amountAt(event, 'stats', 'total_tokens')
      if (tokens > 0) report({ kind: 'usage', usage: { tokens } })
      if (textAt(event, 'status') === 'error') complain(textAt(event, 'error', 'message'))
    },
  }
  return (event) => dispatch(events, event)
}
