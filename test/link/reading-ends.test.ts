// Proves that whoever reads from the servers hears in time that something will not come: what was on its way when a
// connection broke is sent by nobody again. It fails when reading never ends.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fetchFile, keepFile } from '../../src/link/files.ts'
import { connectTo, LinkDownError } from '../../src/link/connection.ts'
import { messagesOf } from '../../src/link/read-stream.ts'
import { setUp } from '../../src/link/set-up-servers.ts'
import { sharedRemote, Site } from '../support/linked-sites.ts'
import { hasServer, NatsServer } from '../support/nats-server.ts'
import { Relay } from '../support/relay.ts'

const text = 'what is read'

describe.skipIf(!hasServer)('with a server, what is sent is lost once', () => {
  let server: NatsServer
  let relay: Relay
  let site: Site

  beforeAll(async () => {
    server = await NatsServer.start()
    const { hostname: host, port } = new URL(server.url)
    relay = await Relay.start({ host, port: Number(port) })
    site = new Site('a', [relay.url], { federation: 'reading' }, sharedRemote())
    const connection = await connectTo(site.root, site.record)
    await setUp(connection, 'reading', 1)
    await connection.close()
  })
  afterAll(async () => {
    relay.close()
    await server.kill()
  })

  /** The first bytes back that hold the text, and all after them, are lost with their connection. */
  function loseOnce(): void {
    relay.onBytes = (bytes, way) => {
      if (way === 'there' || !bytes.includes(text)) return
      relay.onBytes = undefined
      relay.stall('back')
      setImmediate(() => {
        relay.reset()
        relay.heal()
      })
    }
  }

  test('messages', async () => {
    await site.with(async (link) => {
      const subject = link.names.signal('a', 'docs')
      for (let count = 0; count < 3; count += 1) await link.js.publish(subject, text)
      loseOnce()
      await expect(messagesOf(link, subject)).rejects.toThrow(LinkDownError)
      expect(await messagesOf(link, subject)).toHaveLength(3)
    })
  })

  test('a file', async () => {
    await site.with(async (link) => {
      const digest = await keepFile(link, Buffer.from(text.repeat(1000)))
      loseOnce()
      await expect(fetchFile(link, digest)).rejects.toThrow(LinkDownError)
      expect(await fetchFile(link, digest)).toHaveLength(text.length * 1000)
    })
  })
})
