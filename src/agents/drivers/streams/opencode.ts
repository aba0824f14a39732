import type { Listener } from '../driver.ts'
import { complaint } from '../agent-error.ts'
import { amountAt, at, dispatch, figureAt, textAt } from './json.ts'
import type { StreamReader } from './stream-reader.ts'

const writing = ['write', 'edit', 'patch', 'apply_patch']

/**
 * Reads the events of `opencode run --format json`. Reports the session, tokens and cost (`step_finish`),
 * written files (`tool_use`), and a limit or a refusal (`error`).
 */
export function opencodeStream(report: Listener): StreamReader {
  let tokens = 0
  let cost: number | undefined
  const events: Readonly<Record<string, (event: object) => void>> = {
    step_finish(event) {
      const counts = at(event, 'part', 'tokens')
      const parts = amountAt(counts, 'input') + amountAt(counts, 'output')
      tokens += amountAt(counts, 'total') || parts
      const told = figureAt(event, 'part', 'cost')
      if (told !== undefined) cost = (cost ?? 0) + told
      if (tokens > 0 || cost !== undefined)
        report({ kind: 'usage', usage: { tokens, ...(cost === undefined ? {} : { cost }) } })
    },
    tool_use(event) {
      const tool = textAt(event, 'part', 'tool') ?? ''
      const state = at(event, 'part', 'state')
      if (!writing.includes(tool) || textAt(state, 'status') !== 'completed') return
      report({ kind: 'wrote', tool, path: textAt(state, 'input', 'filePath') ?? null })
    },
    error(event) {
      const words = textAt(event, 'error', 'data', 'message') ?? textAt(event, 'error', 'name') ?? ''
      const found = complaint(words, at(event, 'error', 'data', 'statusCode'))
      if (found !== undefined) report(found)
    },
  }
  return (event) => {
    const id = textAt(event, 'sessionID')
    if (id !== undefined) report({ kind: 'session', id })
    dispatch(events, event)
  }
}
