import type { NewSessionRequest, RequestPermissionRequest } from '@agentclientprotocol/sdk'
import { onlyReads } from '../../federation/lead-agent.ts'
import { connectAcp, type AcpConnection } from './acp-connection.ts'
import { AcpUpdates } from './acp-updates.ts'
import { complaint } from './agent-error.ts'
import type { Dialogue, Ends, TurnEnd } from './driver.ts'
import { mayUse, optionFor } from './permission-policy.ts'
import { amountAt, at, listAt, textAt } from './streams/json.ts'
import { SERVER, toolsServer } from './tools-server.ts'

/** Error code with which an agent answers when nobody is logged in to it. */
const authRequired = -32_000

/** The mode in which an agent asks before it does anything, so that fed's policy decides: that of claude and gemini. */
const askingMode = 'default'

/** So many refused tools are told by name. */
const mostRefused = 20

/** A conversation by the Agent Client Protocol: it begins with the prompt of the assignment. */
export class AcpDialogue implements Dialogue {
  readonly #ends: Ends
  readonly #readerMode: string | undefined
  readonly #updates: AcpUpdates
  readonly #isReader: boolean
  #turn: Promise<TurnEnd>
  #open: { readonly connection: AcpConnection; readonly session: string } | undefined
  #isReplaying = false
  /** Tools that were refused, by name; true once the agent was told so in words. */
  readonly #refused = new Map<string, boolean>()
  #tokens = 0

  /** @param readerMode id of the agent's own mode in which it only reads. */
  constructor(ends: Ends, readerMode: string | undefined) {
    this.#ends = ends
    this.#readerMode = readerMode
    this.#updates = new AcpUpdates(ends.log, ends.report)
    const { profile, isHeld } = ends.assignment
    // within walls it may ask for whatever they let it do
    this.#isReader = onlyReads(profile) && !isHeld
    // one that is gone is told by its exit
    ends.input.on('error', () => undefined)
    this.#turn = this.#ending(this.#begin())
  }

  turn(): Promise<TurnEnd> {
    return this.#turn
  }

  notice(): string | undefined {
    const names = [...this.#refused].flatMap(([name, isTold]) => (isTold ? [] : [name]))
    for (const name of names) this.#refused.set(name, true)
    if (names.length === 0) return undefined
    return `You asked for ${names.map((name) => `'${name}'`).join(', ')}. Nobody is here to allow it: your team only reads the codebase, and asking again changes nothing. Read, search and think with your own tools, and do the rest by fed's: write_deliverable for the document, learn for a finding, report for a milestone, send to ask somebody.`
  }

  say(words: string): void {
    this.#turn = this.#ending(this.#prompt(words))
  }

  cancel(): void {
    const open = this.#open
    if (open === undefined) return
    const { agent, methods } = open.connection
    // the agent may be gone, or not read any more
    agent.notify(methods.agent.session.cancel, { sessionId: open.session }).catch(() => undefined)
  }

  leave(): void {
    this.#ends.input.end()
  }

  /**
   * Waits for a turn to end. An error ends it too: it is logged, reported if it means a limit or a refusal,
   * and returned as `failure`.
   */
  async #ending(turn: Promise<TurnEnd>): Promise<TurnEnd> {
    try {
      return await turn
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error)
      const isUnknown = (error as { code?: unknown }).code === authRequired
      // what the agent answers may be its provider's; a connection that breaks is the agent's own
      const answered = isAnswer(error) ? complaint(words) : undefined
      const found = isUnknown ? ({ kind: 'refusal', words } as const) : answered
      if (found !== undefined) this.#ends.report(found)
      this.#updates.write({ type: 'error', message: words })
      return { failure: words }
    } finally {
      this.#updates.flush()
    }
  }

  async #begin(): Promise<TurnEnd> {
    const { input, output, log, assignment } = this.#ends
    const connection = await connectAcp({
      input,
      output,
      log,
      permit: (request) => this.#permits(request),
      // what was said in an earlier session is told once more when it is loaded
      update: (_session, update) => {
        if (!this.#isReplaying) this.#updates.take(update)
      },
      within: (name, call) => this.#within(name, call),
    })
    const { agent, methods } = connection
    const { session, modes } = await this.#openSession(connection)
    if (session === undefined) throw new Error('it opened a session without an id')
    this.#open = { connection, session }
    this.#ends.report({ kind: 'session', id: session })
    const offered = listAt(modes, 'availableModes').map((one) => textAt(one, 'id'))
    const mode = [this.#isReader ? this.#readerMode : undefined, askingMode].find(
      (one) => one !== undefined && offered.includes(one),
    )
    if (mode !== undefined && mode !== textAt(modes, 'currentModeId')) {
      await this.#within('session/set_mode', (options) =>
        agent.request(methods.agent.session.setMode, { sessionId: session, modeId: mode }, options),
      )
    }
    return this.#prompt(assignment.prompt)
  }

  /** Goes on with the earlier session where there is one and the agent can, else begins a new one. */
  async #openSession({
    agent,
    methods,
    about: { agentCapabilities: can },
  }: AcpConnection): Promise<{ session: string | undefined; modes: unknown }> {
    const { assignment } = this.#ends
    const { command, args, env } = toolsServer(assignment)
    const given: NewSessionRequest = {
      cwd: assignment.codebase,
      mcpServers: [
        {
          name: SERVER,
          command,
          args: [...args],
          env: Object.entries(env).map(([name, value]) => ({ name, value })),
        },
      ],
    }
    const { resume: earlier } = assignment
    const { resume, load } = methods.agent.session
    const method = can?.sessionCapabilities?.resume ? resume : can?.loadSession ? load : undefined
    if (earlier !== undefined && method !== undefined) {
      this.#isReplaying = true
      try {
        const answer = await this.#within(method, (options) =>
          agent.request<unknown>(method as string, { sessionId: earlier, ...given }, options),
        )
        return { session: earlier, modes: at(answer, 'modes') }
      } catch (error) {
        if (!isAnswer(error)) throw error
        this.#updates.write({ type: 'note', message: `the earlier session is gone: ${error.message}` })
      } finally {
        this.#isReplaying = false
      }
    }
    const opened = await this.#within('session/new', (options) =>
      agent.request(methods.agent.session.new, given, options),
    )
    return { session: textAt(opened, 'sessionId'), modes: at(opened, 'modes') }
  }

  async #prompt(words: string): Promise<TurnEnd> {
    const open = this.#open
    if (open === undefined) throw new Error('the conversation did not begin')
    const { agent, methods } = open.connection
    // how long the work takes nobody knows; an agent that falls silent meanwhile is noticed elsewhere
    const answer = await agent.request(methods.agent.session.prompt, {
      sessionId: open.session,
      prompt: [{ type: 'text', text: words }],
    })
    this.#tokens += tokensOf(answer)
    if (this.#tokens > 0) this.#ends.report({ kind: 'usage', usage: { tokens: this.#tokens } })
    const reason = textAt(answer, 'stopReason')
    this.#updates.write({ type: 'turn', message: reason ?? 'no reason was told' })
    return reason === 'refusal' ? { failure: 'the agent refused to go on' } : {}
  }

  /** Makes a call that the agent has to answer within `patienceMs`; throws when it does not. */
  async #within<Answer>(
    name: string,
    call: (options: { cancellationSignal: AbortSignal; stopWaitingOnCancel: true }) => Promise<Answer>,
  ): Promise<Answer> {
    const { patienceMs } = this.#ends
    const cancellationSignal = AbortSignal.timeout(patienceMs)
    try {
      return await call({ cancellationSignal, stopWaitingOnCancel: true })
    } catch (error) {
      if (!cancellationSignal.aborted) throw error
      throw new Error(`it did not answer ${name} within ${patienceMs / 1000} seconds`, { cause: error })
    }
  }

  #permits({ toolCall, options }: RequestPermissionRequest): boolean {
    const tool = this.#updates.known(toolCall.toolCallId, toolCall)
    const isAllowed = mayUse(tool, this.#isReader)
    const answer = isAllowed && optionFor(true, options) !== undefined ? 'allowed' : 'refused'
    const name = tool.names[0] ?? tool.kind ?? 'unknown'
    this.#ends.report({ kind: 'permission', tool: name, answer })
    if (!isAllowed && !this.#refused.has(name) && this.#refused.size < mostRefused)
      this.#refused.set(name, false)
    this.#updates.write({ type: 'permission', description: `${name}: ${answer}`, kind: tool.kind })
    return isAllowed
  }
}

/** What a turn used: the models of gemini and of claude's adapter with their side calls, such as the one for a title. */
function tokensOf(turn: unknown): number {
  const models = listAt(at(turn, '_meta', 'quota'), 'model_usage')
  const byModel = models.reduce<number>(
    (sum, model) => sum + amountAt(model, 'token_count', 'totalTokens'),
    0,
  )
  return Math.max(byModel, amountAt(turn, 'usage', 'totalTokens'))
}

/** Whether an error is the agent's answer to a request, and no failure of the connection. */
function isAnswer(error: unknown): error is Error {
  return error instanceof Error && typeof (error as { code?: unknown }).code === 'number'
}
