import { presentMs } from '../../../protocol/clock.ts'
import type { Listener } from '../driver.ts'
import { complaint, timeOfLimit } from '../agent-error.ts'
import { amountAt, at, dispatch, figureAt, listAt, textAt } from './json.ts'
import type { StreamReader } from './stream-reader.ts'

const writing = ['Write', 'Edit', 'MultiEdit', 'NotebookEdit']

/** A wait for the provider that is told to be so long ends the session, in milliseconds. */
const longWaitMs = 60_000

function tokensOf(usage: unknown): number {
  const counts = ['input_tokens', 'output_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens']
  return counts.reduce((sum, name) => sum + amountAt(usage, name), 0)
}

function tokensOfModels(models: unknown): number {
  const counts = ['inputTokens', 'outputTokens', 'cacheReadInputTokens', 'cacheCreationInputTokens']
  return Object.values(models ?? {}).reduce<number>(
    (sum, model) => sum + counts.reduce((all, name) => all + amountAt(model, name), 0),
    0,
  )
}

/**
 * Reads the events of `claude -p --output-format stream-json`, and of cursor, which has the same format with
 * tool calls of its own (`tool_call`). Reports the session, tokens and cost, written files, and a limit or a
 * refusal.
 */
export function claudeStream(report: Listener): StreamReader {
  /** Tool calls that write files, by id; reported once their result is no error. */
  const calls = new Map<string, { tool: string; path: string | null }>()
  // a message comes in several events, each with the usage of the whole
  const tokens = new Map<string, number>()
  const events: Readonly<Record<string, (event: object) => void>> = {
    system(event) {
      const [id, model] = [textAt(event, 'session_id'), textAt(event, 'model')]
      if (id !== undefined && textAt(event, 'subtype') === 'init')
        report({ kind: 'session', id, ...(model === undefined ? {} : { model }) })
      // a short wait is its own affair; over a long one another session may begin when it has passed
      const wait = amountAt(event, 'retry_delay_ms')
      if (
        textAt(event, 'subtype') === 'api_retry' &&
        at(event, 'error_status') === 429 &&
        wait >= longWaitMs
      ) {
        const until = timeOfLimit(presentMs() + wait) ?? null
        report({ kind: 'limit', words: 'its provider lets it wait', until })
      }
    },
    assistant(event) {
      for (const block of listAt(event, 'message', 'content')) {
        const [id, tool] = [textAt(block, 'id'), textAt(block, 'name')]
        if (id === undefined || tool === undefined || !writing.includes(tool)) continue
        calls.set(id, { tool, path: textAt(block, 'input', 'file_path') ?? null })
      }
      const used = tokensOf(at(event, 'message', 'usage'))
      if (used > 0) {
        tokens.set(textAt(event, 'message', 'id') ?? '', used)
        report({ kind: 'usage', usage: { tokens: [...tokens.values()].reduce((sum, one) => sum + one, 0) } })
      }
    },
    user(event) {
      for (const block of listAt(event, 'message', 'content')) {
        const call = calls.get(textAt(block, 'tool_use_id') ?? '')
        if (call !== undefined && at(block, 'is_error') !== true) report({ kind: 'wrote', ...call })
      }
    },
    tool_call(event) {
      if (textAt(event, 'subtype') !== 'completed') return
      for (const [tool, call] of Object.entries(at(event, 'tool_call') ?? {})) {
        if (!/^(?:write|edit|delete)/.test(tool) || at(call, 'result', 'success') === undefined) continue
        report({ kind: 'wrote', tool, path: textAt(call, 'args', 'path') ?? null })
      }
    },
    rate_limit_event(event) {
      const info = at(event, 'rate_limit_info')
      // what goes beyond the limit may be paid for: then the agent goes on
      if (textAt(info, 'status') !== 'rejected' || at(info, 'isUsingOverage') === true) return
      const until = timeOfLimit(amountAt(info, 'resetsAt') * 1000) ?? null
      report({ kind: 'limit', words: 'the rate limit of the account is reached', until })
    },
    result(event) {
      const used = tokensOf(at(event, 'usage'))
      if (used > 0) report({ kind: 'usage', usage: { tokens: used } })
      // these two are of the whole session, with side calls such as titles and with the runs before
      const [cost, all] = [figureAt(event, 'total_cost_usd'), tokensOfModels(at(event, 'modelUsage'))]
      if (cost !== undefined || all > 0)
        report({
          kind: 'usage',
          total: { ...(cost === undefined ? {} : { cost }), ...(all > 0 ? { tokens: all } : {}) },
        })
      if (textAt(event, 'subtype') === 'error_max_budget_usd') report({ kind: 'capped' })
      if (at(event, 'is_error') !== true) return
      const words = textAt(event, 'result') ?? ''
      const found = complaint(words, at(event, 'api_error_status'))
      if (found !== undefined) report(found)
    },
  }
  return (event) => dispatch(events, event)
}
