// A session's tray without an agent: requests as an agent's `fed` drops them, served in this process.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Federation } from '../../src/federation/federation.ts'
import { allRequests } from '../../src/agents/requests/all-requests.ts'
import { answerRequest, type Post } from '../../src/agents/tray/answer-request.ts'
import { Postman } from '../../src/agents/tray/postman.ts'
import { answerFormat, answersOf, requestFormat, trayName, type TrayAnswer } from '../../src/protocol/tray.ts'
import { workspaceLayout } from '../../src/protocol/folder-layout.ts'

/** The post of the first session of a team's present mission. */
export function postOf(root: string, team: string, number = 1): Post {
  const { location: workspace, onboardedAt: since } = new Federation(root).registry.entry(team)
  return { root, team, since, workspace, mission: 1, number, began: '2026-01-01T00:00:00.000Z' }
}

export function trayOf(post: Post): string {
  const tray = path.join(workspaceLayout(post.workspace).trays, trayName(post))
  mkdirSync(tray, { recursive: true })
  return tray
}

/** Drops a request; `as` says for whom an agent claims to ask. */
export function drop(post: Post, id: string, verb: string, args: Record<string, unknown>, as?: string): void {
  const request = { id, verb, args, ...(as === undefined ? {} : { as }) }
  writeFileSync(path.join(trayOf(post), `${id}.json`), requestFormat.textOf(request))
}

/** A postman who answers in this thread. */
export function postmanOf(post: Post): Postman {
  return new Postman(post, (task, signal) => answerRequest(task, allRequests, signal))
}

/** Serves what lies in the tray, as a launcher does at the end of a session. */
export async function serveOnce(post: Post): Promise<void> {
  await postmanOf(post).finish()
}

export function answerTo(post: Post, id: string): TrayAnswer {
  const file = path.join(answersOf(trayOf(post)), `${id}.json`)
  return answerFormat.decode(JSON.parse(readFileSync(file, 'utf8')), file)
}
