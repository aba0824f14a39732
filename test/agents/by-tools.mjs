// What scripted agents have in common that have no command to run: they note that they were started, and work by
// the tools of a server that their host was told of.
import { spawn } from 'node:child_process'
import { appendFileSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { document } from './answer-document.mjs'

const file = path.join(process.env.FED_WORKSPACE, 'starts.jsonl')

/** What was noted so far. */
export function notes() {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** Notes something that a test looks at; returns how many notes of this kind there are. */
export function note(kind, more = {}) {
  appendFileSync(file, `${JSON.stringify({ kind, pid: process.pid, ...more })}\n`)
  return notes().filter((one) => one.kind === kind).length
}

/** A server of tools, spoken to by the Model Context Protocol over its standard streams. */
export class Tools {
  #server
  #waiting = new Map()
  #last = 0

  constructor({ command, args, env }) {
    this.#server = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'inherit'] })
    createInterface({ input: this.#server.stdout }).on('line', (line) => {
      const { id, result, error } = JSON.parse(line)
      const { resolve, reject } = this.#waiting.get(id) ?? {}
      if (error !== undefined) reject?.(new Error(error.message))
      else resolve?.(result)
    })
  }

  async open() {
    await this.#ask('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'scripted', version: '1' },
    })
    this.#send({ method: 'notifications/initialized' })
  }

  /** What a tool answers; throws its refusal. */
  async call(name, input = {}) {
    const { content, isError } = await this.#ask('tools/call', { name, arguments: input })
    if (isError) throw new Error(content[0].text)
    return JSON.parse(content[0].text)
  }

  close() {
    this.#server.stdin.end()
  }

  #ask(method, params) {
    this.#last += 1
    const id = this.#last
    this.#send({ id, method, params })
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
  }

  #send(message) {
    this.#server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }
}

/** The calls that take a deliverable team from its first state to its end. */
export const calls = [
  ['report', { subject: 'mission-planned', body: 'read src/app.ts' }],
  ['learn', { content: 'the answer is a constant', category: 'pattern' }],
  ['report', { subject: 'files-read' }],
  ['report', { subject: 'patterns-identified', body: 'there is one constant' }],
  ['write_deliverable', { content: document }],
  ['report', { subject: 'document-written' }],
]
