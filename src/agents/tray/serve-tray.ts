import { disk } from '../../platform/storage/disk.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import { heartbeatName, sessionOfTray, trayName } from '../../protocol/tray.ts'
import type { Post } from './answer-request.ts'
import { Postman } from './postman.ts'
import { answerInThread, prepareThread } from './postman-threads.ts'
import { Worker } from 'node:worker_threads'
import type { Folder } from '../../platform/storage/open-folder.ts'

/** A thread that does nothing else, so that no long look of this process's is taken for its death. */
const source = `
const { parentPort } = require('node:worker_threads')
const { lutimesSync } = require('node:fs')
const files = new Set()
let beats = 0
parentPort.on('message', ({ file, goesOn }) => (goesOn ? files.add(file) : files.delete(file)))
setInterval(() => {
  beats += 1
  for (const file of files) {
    try {
      lutimesSync(file, beats, beats)
    } catch {
      // its folder went with the session: \`end\` follows
    }
  }
}, 1000)
`

let thread: Worker | undefined

/** Moves the time of a file, which says nothing but that it moved, every second while this process lives, and until `end` removes the file. */
function startHeartbeat(folder: Folder, name: string): { readonly end: () => void } {
  const file = folder.at(name)
  folder.put(name, '')
  thread ??= new Worker(source, { eval: true })
  // it ends with whoever started it
  thread.unref()
  thread.postMessage({ file, goesOn: true })
  return {
    end() {
      thread?.postMessage({ file, goesOn: false })
      folder.remove(name)
    },
  }
}

/**
 * Serves a session's tray until `end`: then all that was asked is done, and the tray is gone. What a dead launcher has
 * left of the same mission is served first, as the sessions that asked it.
 */
export function serveTray(post: Post): { readonly end: () => Promise<void> } {
  const postman = new Postman(post, answerInThread)
  const beat = startHeartbeat(postman.answers, heartbeatName)
  prepareThread()
  let stop: () => void = () => undefined
  const begun = finishLeft(post).then(() => (stop = postman.serve()))
  return {
    end: async () => {
      await begun
      stop()
      await postman.finish()
      beat.end()
      postman.remove()
    },
  }
}

/**
 * Serves and removes the trays of sessions whose launcher died: nobody else does, because a team has one session at a
 * time. Those of missions that are over are removed with what they hold.
 */
async function finishLeft(post: Post): Promise<void> {
  const names = disk.list(workspaceLayout(post.workspace).trays)
  for (const name of names) {
    const session = sessionOfTray(name)
    if (session === undefined || name === trayName(post)) continue
    const left = new Postman({ ...post, ...session }, answerInThread)
    if (session.mission === post.mission) await left.finish()
    left.remove()
  }
}
