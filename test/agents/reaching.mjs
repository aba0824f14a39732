// Tries every way out that an agent has by mistake or on purpose, and notes what it was told:
// `reaching.mjs <port> <other port>` reaches 127.0.0.1:<port> of the machine if it may, and not the other one.
// `reaching.mjs waits` is ready, and waits to be told to end, as which it says so with exit code 7.
import { spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { get } from 'node:http'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { note } from './by-tools.mjs'

const [first, ...others] = process.argv.slice(2)

function body(options) {
  return new Promise((resolve, reject) => {
    const request = get(options, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk))
      response.on('end', () => resolve(`${response.statusCode} ${text.trim()}`))
    })
    request.on('error', reject)
  })
}

const proxy = new URL(process.env.HTTP_PROXY ?? 'http://127.0.0.1:9')
const byProxy = (url) =>
  body({ host: proxy.hostname, port: proxy.port, path: url, headers: { host: new URL(url).host } })

async function connected(to) {
  const socket = connect(to)
  await once(socket, 'connect')
  socket.destroy()
  return 'connected'
}

function sent() {
  return new Promise((resolve, reject) => {
    const socket = createSocket('udp4')
    socket.send('hello', 53, '192.0.2.1', (error) => {
      socket.close()
      if (error === null) resolve('sent')
      else reject(error)
    })
  })
}

if (first === 'waits') {
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.on(signal, () => {
      note('told', { signal })
      setTimeout(() => process.exit(7), 200)
    })
  console.log('ready')
  setInterval(() => undefined, 60_000)
} else {
  const [port, other, abstract] = [first, ...others]
  const attempts = {
    direct: () => body({ host: '127.0.0.1', port, path: '/direct' }),
    proxied: () => byProxy(`http://127.0.0.1:${port}/proxied`),
    otherPort: () => byProxy(`http://127.0.0.1:${other}/`),
    otherDirect: () => connected({ host: '127.0.0.1', port: Number(other) }),
    private: () => byProxy('http://10.0.0.1/'),
    metadata: () => byProxy('http://169.254.169.254/latest/'),
    name: () => byProxy('http://unlisted.example/'),
    again: () => byProxy('http://unlisted.example/'),
    address: () => connected({ host: '192.0.2.1', port: 443 }),
    udp: sent,
    dns: () => lookup('unlisted.example'),
    abstract: () =>
      spawnSync('python3', ['-c', `import socket; socket.socket(socket.AF_UNIX).connect("\\0${abstract}")`])
        .status,
    interfaces: () => Object.keys(networkInterfaces()).join(),
  }
  for (const [attempt, act] of Object.entries(attempts)) {
    try {
      note('attempt', { attempt, answer: await act() })
    } catch (error) {
      note('attempt', { attempt, answer: error.code })
    }
  }
  process.exitCode = 9
}
