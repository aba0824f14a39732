import { sessionsOfFederation } from '../../../agents/usage/all-sessions.ts'
import { costCells, costsOf } from '../../../agents/usage/costs-by-group.ts'
import path from 'node:path'
import type { ServerResponse } from 'node:http'
import { NotFoundError, UsageError } from '../../../errors/fed-error.ts'
import type { Federation } from '../../../federation/federation.ts'
import { federationLayout } from '../../../protocol/folder-layout.ts'
import { acts } from './acts.ts'
import { keepAddress, lastAddress, newToken } from './address.ts'
import { Charts } from './charts.ts'
import { DiagramDocument } from './diagram-document.ts'
import { Deliverables } from './shown-deliverable.ts'
import { Drawings } from './drawings.ts'
import { EventStream } from './event-stream.ts'
import { FederationView } from './federation-view.ts'
import { pageFiles, send, serveLocally, type PageFiles, type Pages } from './local-server.ts'
import { showChanges } from './shown-changes.ts'
import type { ShownFederation } from './shown.ts'
import { META } from '../../../protocol/team-id.ts'
import type { TeamView } from './team-view.ts'

/** So much of a log is shown at first, in bytes. */
const firstOfLog = -65_536

/** A running dashboard. */
export interface Dashboard {
  /** With the token: who has it may look, pause and send. */
  readonly url: string
  close(): Promise<void>
}

export interface DashboardSettings {
  /** Without one it is the port of the last time, or any that is free. */
  readonly port?: number | undefined
}

/**
 * Serves the live page of a federation on 127.0.0.1, to whoever knows its token.
 * @throws {UsageError} when the port that was asked for is taken.
 */
export async function serveDashboard(
  federation: Federation,
  { port }: DashboardSettings = {},
): Promise<Dashboard> {
  const open = await federation.opener()
  const files = pageFiles('dashboard', ['index.html', 'page.js', 'stream.js', 'page.css'])
  const shown: ShownFederation = {
    name: federation.config.federationName ?? path.basename(federation.root),
    root: federation.root,
    description: federation.config.description ?? '',
    build: files.build,
    deliverable: federation.config.deliverable,
  }
  const last = lastAddress(federation.root)
  const token = last?.token ?? newToken()
  const streams = new EventStream()
  const drawings = new Drawings(federationLayout(federation.root).layouts)
  const view = new FederationView(federation, open, (change) => streams.tell('change', change))
  const pages = new DashboardPages(federation, view, shown, files, streams, drawings)
  const server = await serveLocally(pages, { token, port, lastPort: last?.port })
  try {
    if (last === undefined || port !== undefined) keepAddress(federation.root, { port: server.port, token })
  } catch (error) {
    await server.close()
    throw error
  }
  return { url: server.url, close: () => server.close() }
}

class DashboardPages implements Pages {
  readonly #federation: Federation
  readonly #view: FederationView
  readonly #shown: ShownFederation
  readonly #files: PageFiles
  readonly #streams: EventStream
  readonly #drawings: Drawings
  readonly #charts: Charts
  readonly #deliverables: Deliverables
  readonly #diagram = new DiagramDocument()

  constructor(
    federation: Federation,
    view: FederationView,
    shown: ShownFederation,
    files: PageFiles,
    streams: EventStream,
    drawings: Drawings,
  ) {
    this.#federation = federation
    this.#view = view
    this.#shown = shown
    this.#files = files
    this.#streams = streams
    this.#drawings = drawings
    this.#charts = new Charts(drawings)
    this.#deliverables = new Deliverables(drawings)
  }

  async act([address = '', name = '', ...more]: readonly string[], given: unknown): Promise<unknown> {
    const act = Object.hasOwn(acts, name) && more.length === 0 ? acts[name] : undefined
    if (act === undefined) throw new NotFoundError('there is nothing like that to do')
    try {
      return await act(this.#federation, address, given)
    } finally {
      this.#view.touch(address)
    }
  }

  async end(): Promise<void> {
    this.#view.close()
    this.#streams.close()
    await this.#drawings.close()
  }

  async show(steps: readonly string[], query: URLSearchParams, response: ServerResponse): Promise<void> {
    const [first = '', second = '', third = ''] = steps
    if (this.#files.answer(steps, response)) return
    if (first === 'diagram.html' && steps.length === 1) return this.#diagram.answer(response)
    if (first === 'events' && steps.length === 1) {
      this.#streams.open(response)
      this.#streams.tell('federation', this.#shown, response)
      this.#streams.tell('change', this.#view.whole(), response)
      return
    }
    if (first === 'costs' && steps.length === 1)
      return send(response, costCells(costsOf(sessionsOfFederation(this.#federation), 'team')))
    if (first !== 'teams' || steps.length !== 3) throw new NotFoundError('there is no such page')
    const moment = query.has('at') ? numberIn(query, 'at', 0) : undefined
    if (second === META && third === 'mail') return send(response, this.#view.meta(moment))
    send(response, await this.#part(this.#view.view(second), third, query, moment))
  }

  async #part(
    view: TeamView,
    part: string,
    query: URLSearchParams,
    moment: number | undefined,
  ): Promise<unknown> {
    switch (part) {
      case 'chart':
        return this.#charts.of(view.team)
      case 'life':
        return view.life(numberIn(query, 'after', 0))
      case 'mail':
        return view.mail(moment)
      case 'findings':
        return view.findings()
      case 'sessions':
        return view.sessions()
      case 'accepts':
        return view.accepts()
      case 'log': {
        const session = { mission: numberIn(query, 'mission', 1), number: numberIn(query, 'number', 1) }
        return view.log(session, numberIn(query, 'from', firstOfLog), moment)
      }
      case 'deliverable':
        return (await this.#deliverables.show(view.deliverableFile(numberIn(query, 'mission', 1)))) ?? null
      case 'changes':
        return (await showChanges(view.team)) ?? null
      default:
        throw new NotFoundError('a team has no such part')
    }
  }
}

function numberIn(query: URLSearchParams, name: string, otherwise: number): number {
  const text = query.get(name)
  if (text === null) return otherwise
  // it may become a part of a path
  if (!/^-?\d{1,15}$/.test(text)) throw new UsageError(`${name}: a whole number is meant`)
  return Number(text)
}
