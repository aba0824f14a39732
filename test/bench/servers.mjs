// Servers that a row measures against: each on a free port of the loopback interface, with a new folder, and gone
// when the row ends.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { newFolder } from './places.mjs'
import { rivalServer } from './rivals.mjs'

const running = new Set()
process.once('exit', () => {
  for (const server of running) server.kill('SIGKILL')
})

/** A port of this machine that nobody listens on. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

async function answers(port) {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch (error) {
    if (error.code === 'ECONNREFUSED') return false
    throw error
  } finally {
    socket.destroy()
  }
}

const argumentsOf = {
  'nats-server': (port, dir) => ['-a', '127.0.0.1', '-p', port, '-js', '-sd', dir],
  'redis-server': (port, dir) => [
    ...['--bind', '127.0.0.1', '--port', port, '--dir', dir, '--save', ''],
    ...['--appendonly', 'yes', '--appendfsync', 'everysec', '--daemonize', 'no'],
  ],
}

/** Starts a server, told these words besides, and returns its port once it answers. */
export async function startServer(name, more = []) {
  const program = rivalServer(name)
  const port = await freePort()
  const words = [...argumentsOf[name](port, newFolder(name)), ...more].map(String)
  const server = spawn(program, words, { stdio: 'ignore' })
  running.add(server)
  server.once('exit', () => running.delete(server))
  for (let patience = 100; !(await answers(port)); patience -= 1) {
    if (patience === 0) throw new Error(`${name} does not answer on port ${port}`)
    await wait(50)
  }
  return {
    port,
    async stop(signal = 'SIGTERM') {
      if (!running.has(server)) return
      const ended = once(server, 'exit')
      server.kill(signal)
      await ended
    },
  }
}
