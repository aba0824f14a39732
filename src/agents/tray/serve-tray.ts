import { readdirSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { unless } from '../../errors/unless.ts'
import { tellFault } from '../../federation/hooks/fault-listener.ts'
import { tellSetAside } from '../../platform/git/set-aside-listener.ts'
import { program } from '../../platform/process/package.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import { heartbeatName, sessionOfTray, trayName } from '../../protocol/tray.ts'
import { startHeartbeat } from './heartbeat.ts'
import { openTray, type Post } from './postman.ts'

export type PostmanOrder = 'end'
export type PostmanMessage =
  { readonly kind: 'hook-fault' | 'set-aside'; readonly line: string } | { readonly kind: 'ended' }

/** How often a postman that died of an error of ours is followed by another. */
const mostPostmen = 5

/**
 * Serves a session's tray in a thread of its own, until `end`: then nothing that was asked is left. What a dead
 * launcher has left of the same mission is served first, as the sessions that asked it.
 */
export function serveTray(post: Post): { readonly end: () => Promise<void> } {
  const folders = openTray(post.workspace, post)
  const beat = startHeartbeat(folders.answers, heartbeatName)
  const left = leftTrays(post)
  let postmen = 0
  let isEnding = false
  let settle = () => {}
  const over = new Promise<void>((resolve) => (settle = resolve))
  let worker: Worker | undefined
  const start = () => {
    postmen += 1
    worker = new Worker(program('postman-thread'), { workerData: { post, left } })
    worker.on('message', (message: PostmanMessage) => {
      if (message.kind === 'hook-fault') tellFault(message.line)
      if (message.kind === 'set-aside') tellSetAside(message.line)
      if (message.kind === 'ended') void worker?.terminate()
    })
    // what it had not answered still lies there
    worker.on('error', () => undefined)
    worker.on('exit', () => {
      if (!isEnding && postmen < mostPostmen) start()
      else settle()
    })
  }
  start()
  return {
    end: async () => {
      isEnding = true
      worker?.postMessage('end' satisfies PostmanOrder)
      await over
      beat.end()
      folders.close()
    },
  }
}

/**
 * The sessions of whose trays something is left: nobody serves them, because a team has one session at a time. Trays
 * of missions that are over are removed with what they hold.
 */
function leftTrays(post: Post): Post[] {
  const names = unless('ENOENT', () => readdirSync(workspaceLayout(post.workspace).trays)) ?? []
  return names.flatMap((name) => {
    const session = sessionOfTray(name)
    if (session === undefined || name === trayName(post)) return []
    if (session.mission === post.mission) return [{ ...post, ...session }]
    const over = openTray(post.workspace, session)
    over.remove()
    over.close()
    return []
  })
}
