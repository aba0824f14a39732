import type { Listener } from '../driver.ts'
import { complaint } from '../agent-error.ts'
import { amountAt, at, dispatch, textAt } from './json.ts'
import type { StreamReader } from './stream-reader.ts'

const writing = ['create', 'edit', 'apply_patch', 'str_replace_editor']

/**
 * Reads the events of `copilot -p … --output-format json`. Reports the session, tokens (`assistant.usage`),
 * written files (`tool.execution_complete`), and a limit or a refusal (`session.error`).
 * @param session id of the session, where fed passed it on the command line.
 */
export function copilotStream(report: Listener, session?: string): StreamReader {
  const calls = new Map<string, { tool: string; path: string | null }>()
  let tokens = 0
  const events: Readonly<Record<string, (event: object) => void>> = {
    'tool.execution_start'(event) {
      const [id, tool] = [textAt(event, 'data', 'toolCallId'), textAt(event, 'data', 'toolName')]
      if (id === undefined || tool === undefined || !writing.includes(tool)) return
      calls.set(id, { tool, path: textAt(event, 'data', 'arguments', 'path') ?? null })
    },
    'tool.execution_complete'(event) {
      const call = calls.get(textAt(event, 'data', 'toolCallId') ?? '')
      if (call !== undefined && at(event, 'data', 'success') === true) report({ kind: 'wrote', ...call })
    },
    'assistant.usage'(event) {
      tokens += amountAt(event, 'data', 'inputTokens') + amountAt(event, 'data', 'outputTokens')
      report({ kind: 'usage', usage: { tokens } })
    },
    'session.error'(event) {
      const words = textAt(event, 'data', 'message') ?? textAt(event, 'data', 'errorType') ?? ''
      const found = complaint(words, at(event, 'data', 'statusCode'))
      if (found !== undefined) report(found)
    },
    result(event) {
      const id = textAt(event, 'sessionId')
      if (id !== undefined) report({ kind: 'session', id })
    },
  }
  return (event) => {
    // copilot names its session at its end or never: that it prints anything shows that it took the given id
    if (session !== undefined) report({ kind: 'session', id: session })
    dispatch(events, event)
  }
}
