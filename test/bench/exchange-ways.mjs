// Ways to hand messages from one process to another. Each sends one message and waits until it is accepted, and
// receives with what it has for it; all survive the death of a process and none waits for the disk.
import { setTimeout as wait } from 'node:timers/promises'
import { draftOf, library } from './places.mjs'
import { openMessages } from './message-table.mjs'
import { rivalPackage } from './rivals.mjs'

const pollMs = 2
const batch = 256

async function ours(root) {
  const { openFederation } = await library()
  const federation = await openFederation(root)
  return {
    send: (number) => federation.send(draftOf(number)),
    receive(onMessages) {
      const mailbox = federation.mailbox('docs')
      mailbox.watch(async (signals) => {
        await mailbox.acknowledgeFiles(signals.map(({ file }) => file))
        onMessages(signals.map(({ id }) => id))
      })
    },
  }
}

async function sqlite(folder) {
  const messages = await openMessages(folder, 'NORMAL')
  return {
    send: async (number) => messages.send(draftOf(number)),
    async receive(onMessages) {
      for (;;) {
        const waiting = messages.unacknowledged('docs')
        messages.acknowledge(waiting)
        onMessages(waiting.map(({ id }) => id))
        if (waiting.length === 0) await wait(pollMs)
      }
    },
  }
}

async function nats(port) {
  const { connect } = await rivalPackage('nats')
  const connection = await connect({ servers: `127.0.0.1:${port}` })
  const stream = connection.jetstream()
  const manager = await connection.jetstreamManager()
  await manager.streams.add({ name: 'signals', subjects: ['signals.*'], storage: 'file' })
  await manager.consumers.add('signals', {
    durable_name: 'docs',
    ack_policy: 'explicit',
    max_ack_pending: batch,
  })
  const encoder = new TextEncoder()
  return {
    send: (number) => stream.publish('signals.docs', encoder.encode(JSON.stringify(draftOf(number)))),
    async receive(onMessages) {
      const consumer = await stream.consumers.get('signals', 'docs')
      for await (const message of await consumer.consume({ max_messages: batch })) {
        JSON.parse(message.string())
        message.ack()
        onMessages([message.seq])
      }
    },
  }
}

async function redis(port) {
  const Redis = await rivalPackage('ioredis')
  const client = new Redis(port, '127.0.0.1')
  try {
    await client.xgroup('CREATE', 'docs', 'readers', '$', 'MKSTREAM')
  } catch (error) {
    if (!error.message.startsWith('BUSYGROUP')) throw error
  }
  return {
    send: (number) => client.xadd('docs', '*', 'message', JSON.stringify(draftOf(number))),
    async receive(onMessages) {
      for (;;) {
        const answer = await client.xreadgroup(
          'GROUP',
          'readers',
          'one',
          'COUNT',
          batch,
          'BLOCK',
          1000,
          'STREAMS',
          'docs',
          '>',
        )
        const ids = []
        for (const [id, [, text]] of answer?.[0]?.[1] ?? []) {
          JSON.parse(text)
          ids.push(id)
        }
        if (ids.length > 0) await client.xack('docs', 'readers', ...ids)
        onMessages(ids)
      }
    },
  }
}

/** `place` is a folder for ours and SQLite, and a port for servers. */
export const ways = { ours, sqlite, nats, redis }
