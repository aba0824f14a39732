import type { NewSessionRequest } from '@agentclientprotocol/sdk'
import { AgentHostError } from '../../../errors/session-errors.ts'
import type { Command } from '../../../platform/process/command.ts'
import { connectAcp, type AcpConnection } from '../../../agents/drivers/acp-connection.ts'
import { at, listAt, textAt } from '../../../agents/drivers/streams/json.ts'
import { GatedProcess } from '../../../platform/process/gated-process.ts'

/** Longest answer that is kept, in characters. */
const longestAnswer = 4 * 1024 * 1024

/** What an agent says of a tool that it wants to use; none of it is more than its word. */
export interface ToolRequest {
  readonly kind?: string | null
  readonly name?: string | null
  readonly title?: string | null
  readonly rawInput?: unknown
  /** Files that it says it is about. */
  readonly locations?: readonly { readonly path: string }[] | null
}

/** Whether a tool may be used. */
export type ToolPolicy = (tool: ToolRequest) => boolean

interface OpenSession {
  readonly policy: ToolPolicy
  readonly calls: Map<string, ToolRequest>
  answer: string
}

/**
 * An agent that is talked to by the Agent Client Protocol for as long as its host wants, in any number of sessions.
 * It is started with the first of them behind a gate, which ends it when this process dies.
 */
export class AgentHost {
  readonly #command: () => Command
  readonly #patienceMs: number
  readonly #log: (line: string) => void
  readonly #sessions = new Map<string, OpenSession>()
  /** Called with each sign of life: an agent that works in one session keeps the others waiting and is not silent. */
  readonly #stirs = new Set<() => void>()
  #gate: GatedProcess | undefined
  #opening: Promise<AcpConnection> | undefined
  #isOver = false

  /** @param patienceMs how long the agent may be silent, in milliseconds. @param log gets what it says outside of the protocol. */
  constructor(command: () => Command, patienceMs: number, log: (line: string) => void) {
    this.#command = command
    this.#patienceMs = patienceMs
    this.#log = log
  }

  /**
   * Begins a session, or goes on with an earlier one where the agent can.
   * @returns its name.
   * @throws {AgentHostError} when the agent does not answer, or not as the protocol says.
   */
  async session(policy: ToolPolicy, earlier?: string): Promise<string> {
    const { methods, agent, about } = await this.#open()
    const given: NewSessionRequest = { cwd: this.#command().cwd, mcpServers: [] }
    const opened: OpenSession = { policy, calls: new Map(), answer: '' }
    if (earlier !== undefined && about.agentCapabilities?.loadSession === true) {
      this.#sessions.set(earlier, opened)
      try {
        await this.#within('session/load', () =>
          agent.request(methods.agent.session.load, { sessionId: earlier, ...given }),
        )
        return earlier
      } catch (error) {
        this.#sessions.delete(earlier)
        if (this.#opening === undefined) throw error
        // it is gone: a new one begins
      }
    }
    const { sessionId } = await this.#within('session/new', () =>
      agent.request(methods.agent.session.new, given),
    )
    if (typeof sessionId !== 'string' || sessionId === '')
      throw new AgentHostError('the agent began no session')
    this.#sessions.set(sessionId, opened)
    return sessionId
  }

  /**
   * Puts words before the agent and waits for the end of its turn.
   * @returns the last message that it said.
   * @throws {AgentHostError} when it is silent for too long, ends, or answers with an error.
   */
  async prompt(session: string, text: string): Promise<string> {
    const { methods, agent } = await this.#open()
    const opened = this.#sessions.get(session)
    if (opened === undefined) throw new AgentHostError('the session ended with the agent')
    opened.answer = ''
    try {
      const { stopReason } = await this.#within('session/prompt', () =>
        agent.request(methods.agent.session.prompt, {
          sessionId: session,
          prompt: [{ type: 'text', text }],
        }),
      )
      if (stopReason !== 'end_turn') throw new AgentHostError(`the agent ended its turn with '${stopReason}'`)
      return opened.answer.trim()
    } finally {
      // a bridge works for weeks
      opened.answer = ''
      opened.calls.clear()
    }
  }

  /** Ends the agent for good: what waits for it fails, and it is not started again. */
  async end(): Promise<void> {
    this.#isOver = true
    await this.#restart()
  }

  /** Ends the agent; the next session starts it again. */
  async #restart(): Promise<void> {
    const gate = this.#gate
    this.#gate = undefined
    this.#opening = undefined
    this.#sessions.clear()
    await gate?.end()
  }

  async #open(): Promise<AcpConnection> {
    if (this.#isOver) throw new AgentHostError('the agent is no longer talked to')
    if (this.#opening === undefined) {
      const opening = this.#begin()
      this.#opening = opening
      opening.catch(() => {
        if (this.#opening === opening) void this.#restart()
      })
    }
    return await this.#opening
  }

  async #begin(): Promise<AcpConnection> {
    // before the agent is started, so that nothing that it does or says is missed
    await import('@agentclientprotocol/sdk')
    if (this.#isOver) throw new AgentHostError('the agent is no longer talked to')
    const gate = new GatedProcess(this.#command(), this.#log)
    this.#gate = gate
    gate.onExit(() => {
      if (this.#gate === gate) void this.#restart()
    })
    return await connectAcp({
      input: gate.input,
      output: gate.output,
      log: this.#log,
      permit: ({ sessionId, toolCall, options }) => {
        const opened = this.#sessions.get(sessionId)
        this.#stir()
        const tool = { ...opened?.calls.get(toolCall.toolCallId), ...saidIn(toolCall) }
        // what is allowed now is not allowed for ever
        const isAllowed = options.some((one) => one.kind === 'allow_once') && opened?.policy(tool) === true
        this.#log(`${isAllowed ? 'allowed' : 'refused'}: ${tool.name ?? tool.title ?? tool.kind ?? 'a tool'}`)
        return isAllowed
      },
      update: (session, update) => {
        this.#stir()
        const opened = this.#sessions.get(session ?? '')
        if (opened !== undefined) take(opened, update)
      },
      within: (name, call) => this.#within(name, () => call()),
    })
  }

  #stir(): void {
    for (const stir of this.#stirs) stir()
  }

  /** A call that the agent answers, or shows in the meantime that it lives; one that does neither is ended. */
  async #within<Answer>(name: string, call: () => Promise<Answer>): Promise<Answer> {
    const gate = this.#gate
    let timer: NodeJS.Timeout | undefined
    const stir = () => timer?.refresh()
    let ignoreExit: (() => void) | undefined
    const failure = new Promise<never>((_, reject) => {
      const silent = () => {
        reject(new AgentHostError(`the agent was silent for ${this.#patienceMs / 1000} seconds (${name})`))
        void this.#restart()
      }
      timer = setTimeout(silent, this.#patienceMs)
      this.#stirs.add(stir)
      ignoreExit = gate?.onExit(() => reject(new AgentHostError(`the agent ended (${name})`)))
    })
    try {
      return await Promise.race([call(), failure])
    } catch (error) {
      if (error instanceof AgentHostError) throw error
      const words = error instanceof Error ? error.message : String(error)
      throw new AgentHostError(`the agent answered ${name} with an error: ${words}`, { cause: error })
    } finally {
      clearTimeout(timer)
      this.#stirs.delete(stir)
      ignoreExit?.()
    }
  }
}

/** Takes whatever an agent sent as an update of a session: what is not understood is passed over. */
function take(opened: OpenSession, update: unknown): void {
  const kind = textAt(update, 'sessionUpdate')
  if (kind === 'agent_message_chunk') {
    const text = textAt(update, 'content', 'type') === 'text' ? textAt(update, 'content', 'text') : ''
    opened.answer = `${opened.answer}${text ?? ''}`.slice(-longestAnswer)
  }
  const id = textAt(update, 'toolCallId')
  if (id === undefined || (kind !== 'tool_call' && kind !== 'tool_call_update')) return
  opened.calls.set(id, { ...opened.calls.get(id), ...saidIn(update) })
  // what it said before it went on working was no answer yet
  if (kind === 'tool_call') opened.answer = ''
}

/** What an update leaves out, or sets to null, it says nothing about. */
function saidIn(update: unknown): ToolRequest {
  const said = {
    kind: textAt(update, 'kind'),
    name: textAt(update, 'name'),
    title: textAt(update, 'title'),
    rawInput: at(update, 'rawInput') ?? undefined,
    locations: at(update, 'locations') == null ? undefined : placesIn(update),
  }
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined))
}

function placesIn(update: unknown): { path: string }[] {
  return listAt(update, 'locations').flatMap((one) => {
    const path = textAt(one, 'path')
    return path === undefined ? [] : [{ path }]
  })
}
