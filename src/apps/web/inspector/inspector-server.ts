import type { ServerResponse } from 'node:http'
import { newToken } from '../dashboard/address.ts'
import { Charts } from '../dashboard/charts.ts'
import { Drawings } from '../dashboard/drawings.ts'
import { EventStream } from '../dashboard/event-stream.ts'
import { pageFiles, send, serveLocally, type Pages } from '../dashboard/local-server.ts'
import { NotFoundError } from '../../../errors/fed-error.ts'
import type { Federation } from '../../../federation/federation.ts'
import { federationLayout } from '../../../protocol/folder-layout.ts'
import { Feed } from './feed.ts'

export interface InspectorSettings {
  /** Only this team. */
  readonly team?: string | undefined
  /** From the history instead of the wire. */
  readonly replay?: boolean | undefined
  readonly port?: number | undefined
}

/** A running inspector. */
export interface Inspector {
  /** Of our own viewer, with the token. */
  readonly url: string
  /** Of the page that feeds Stately's inspector. */
  readonly statelyUrl: string
  close(): Promise<void>
}

/**
 * Serves a viewer of the inspector's messages on 127.0.0.1, to whoever knows its token, which is another each time.
 * @throws {TeamNotFoundError} and {UsageError} when the port is taken.
 */
export async function serveInspector(
  federation: Federation,
  { team, replay, port }: InspectorSettings = {},
): Promise<Inspector> {
  const open = await federation.opener()
  const { teams } = federation.registry.read()
  const entries = team === undefined ? teams : [federation.registry.entry(team)]
  const streams = new EventStream()
  const tell = (messages: readonly unknown[]) => streams.tell('messages', messages)
  const feed =
    replay === true ? Feed.ofHistory(entries.map(open), tell) : Feed.ofWire(federation.root, team, tell)
  const drawings = new Drawings(federationLayout(federation.root).layouts)
  const charts = new Charts(drawings)
  const files = pageFiles('inspector', [
    ...['index.html', 'page.js', 'stream.js', 'page.css', 'stately.html', 'stately.js'],
  ])
  const source = replay === true ? 'history' : 'wire'
  const pages: Pages = {
    async act() {
      throw new NotFoundError('an inspector only shows')
    },
    async show(steps, _query, response: ServerResponse) {
      // Stately's window answers to the page that opened it, which the stricter policy would forget
      if (steps[0] === 'stately.html')
        response.setHeader('cross-origin-opener-policy', 'same-origin-allow-popups')
      if (files.answer(steps, response)) return
      const [first = '', name = '', ...more] = steps
      if (first === 'events' && steps.length === 1) {
        streams.open(response)
        streams.tell('source', { source, build: files.build }, response)
        streams.tell('messages', feed.messages, response)
        return
      }
      if (first !== 'charts' || more.length > 0) throw new NotFoundError('there is no such page')
      send(response, await charts.of(open(federation.registry.entry(name))))
    },
    async end() {
      feed.close()
      streams.close()
      await drawings.close()
    },
  }
  const server = await serveLocally(pages, { token: newToken(), port })
  return { url: server.url, statelyUrl: `${server.url}stately.html`, close: () => server.close() }
}
