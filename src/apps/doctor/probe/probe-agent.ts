// The agent of a probe: it tries what it is told in a file, and writes down what went well. `processes` and `disk` use
// up what is limited instead, until it is ended.
import { spawn, spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import type { Notes, Orders, Try } from './attempt.ts'
import { isOnACommandLine } from './on-a-command-line.ts'

/** Whoever does not answer in so many milliseconds is not reached. */
const answerMs = 2000
/** It is far more than a probe's limits let it have. */
const tooMany = 80
const megabyte = 1_000_000

function isRead(at: string): boolean {
  return (statSync(at).isDirectory() ? readdirSync(at) : readFileSync(at)).length > 0
}

function isWritten(at: string): boolean {
  mkdirSync(path.dirname(at), { recursive: true })
  appendFileSync(at, 'reached\n')
  return true
}

function isConnected(to: string | { host: string; port: number }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = typeof to === 'string' ? net.connect(to) : net.connect(to.port, to.host)
    socket.setTimeout(answerMs, () => socket.destroy())
    socket.on('connect', () => resolve(true)).on('connect', () => socket.destroy())
    socket.on('error', () => resolve(false)).on('close', () => resolve(false))
  })
}

function isProxied(to: string): Promise<boolean> {
  const proxy = process.env['HTTPS_PROXY']
  if (proxy === undefined) return Promise.resolve(false)
  return new Promise((resolve) => {
    const { hostname: host, port } = new URL(proxy)
    const asked = http.request({
      host,
      port,
      method: 'CONNECT',
      path: to,
      headers: { host: to },
      timeout: answerMs,
    })
    asked.on('connect', ({ statusCode }, socket) => {
      socket.destroy()
      resolve(statusCode === 200)
    })
    asked
      .on('timeout', () => asked.destroy())
      .on('error', () => resolve(false))
      .on('close', () => resolve(false))
    asked.end()
  })
}

function stays(marked: string): boolean {
  const endless = 'setInterval(() => undefined, 1000)'
  spawn(process.execPath, ['-e', endless, marked], { detached: true, stdio: 'ignore' }).unref()
  return true
}

async function goesWell(one: Try): Promise<boolean> {
  try {
    switch (one.do) {
      case 'read':
        return isRead(one.at)
      case 'write':
        return isWritten(one.at)
      case 'connect':
        return await isConnected(one.to)
      case 'ask-proxy':
        return await isProxied(one.to)
      case 'variable':
        return process.env[one.name] !== undefined
      case 'see':
        return isOnACommandLine(one.marked)
      case 'stay':
        return stays(one.marked)
      case 'run':
        return spawnSync(one.command[0] as string, one.command.slice(1), { stdio: 'ignore' }).status === 0
    }
  } catch {
    // whatever stood in the way did its work
    return false
  }
}

async function tryAll(file: string): Promise<void> {
  const { attempts, notes } = JSON.parse(readFileSync(file, 'utf8')) as Orders
  const done: Record<string, Try[]> = {}
  for (const { what, tries } of attempts) {
    const well = await Promise.all(tries.map(goesWell))
    done[what] = tries.filter((_, index) => well[index])
  }
  writeFileSync(notes, JSON.stringify(done satisfies Notes))
}

/** Stays, so that whoever counts what it has used up can end it. */
function useUp(what: string): void {
  setInterval(() => undefined, 1000)
  for (let number = 0; number < tooMany; number += 1)
    if (what === 'processes') spawn('sleep', ['600'], { stdio: 'ignore' }).on('error', () => undefined)
    else
      writeFileSync(
        path.join(process.env['FED_WORKSPACE'] ?? os.tmpdir(), `part-${number}`),
        Buffer.alloc(megabyte),
      )
}

const [what = '', file = ''] = process.argv.slice(2)
if (what === 'attempts') void tryAll(file)
else useUp(what)
