import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import net, { type AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { git } from '../../../platform/git/git.ts'
import { findProgram } from '../../../platform/process/find-program.ts'
import { v4 as uuid } from 'uuid'
import { remove } from '../../../platform/storage/without-links.ts'
import type { Outside } from './attempts.ts'

/** A repository for a moment, and what others have around it that no agent in it must reach. */
export interface Bait extends Pick<
  Outside,
  'root' | 'word' | 'port' | 'socket' | 'abstract' | 'variable' | 'env'
> {
  /** Takes everything away again. */
  remove(): void
}

/** Lays it: a repository with two branches, sockets and a port that answer, a process, and a variable. */
export async function layBait(): Promise<Bait> {
  const folder = mkdtempSync(path.join(realpathSync(os.tmpdir()), 'fed-probe-'))
  const root = path.join(folder, 'root')
  // in no path that an agent's own command has
  const word = `fed-probe-${uuid()}`
  const agent = path.join(folder, 'agent.sock')
  const socket = path.join(root, 'service.sock')
  const abstract = `\0${word}`
  const variable = 'PROBE_OF_WALLS'
  const endings: (() => void)[] = [() => remove(folder)]
  const end = () => {
    for (const one of endings.splice(0).toReversed()) one()
  }
  process.once('exit', end)
  try {
    mkdirSync(root)
    makeRepository(root)
    const onPort = await answer({ port: 0, host: '127.0.0.1' })
    const answering = [onPort, ...(await Promise.all([agent, socket, abstract].map(answer)))]
    endings.push(...answering.map((server) => () => void server.close()))
    const bystander = spawn(findProgram('sleep') ?? 'sleep', ['600'], { argv0: word, stdio: 'ignore' })
    endings.push(() => bystander.kill('SIGKILL'))
    await once(bystander, 'spawn')
    return {
      ...{ root, word, socket, abstract, variable },
      port: (onPort.address() as AddressInfo).port,
      env: {
        ...{ SSH_AUTH_SOCK: agent, ...process.env, [variable]: word },
        // homes and repositories of agents go with all the rest
        XDG_CACHE_HOME: path.join(folder, 'cache'),
        XDG_STATE_HOME: path.join(folder, 'state'),
      },
      remove: () => {
        process.off('exit', end)
        end()
      },
    }
  } catch (error) {
    end()
    throw error
  }
}

function makeRepository(root: string): void {
  git(root, 'init', '--quiet', '--initial-branch', 'main')
  git(root, 'config', 'user.name', 'probe')
  git(root, 'config', 'user.email', 'probe@localhost')
  for (const branch of ['main', 'other']) {
    writeFileSync(path.join(root, 'README.md'), `# The walls are probed here, on ${branch}\n`)
    if (branch !== 'main') git(root, 'switch', '--quiet', '--create', branch)
    git(root, 'add', 'README.md')
    git(root, 'commit', '--quiet', '--message', branch)
  }
  git(root, 'switch', '--quiet', 'main')
}

async function answer(place: string | { port: number; host: string }): Promise<net.Server> {
  const server = net.createServer((asking) => asking.on('error', () => undefined).end())
  if (typeof place === 'string') server.listen(place)
  else server.listen(place)
  await once(server, 'listening')
  return server.unref()
}
