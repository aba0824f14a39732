import { disk } from '../../platform/storage/disk.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import { heartbeatName, sessionOfTray, trayName } from '../../protocol/tray.ts'
import type { Post } from './answer-request.ts'
import { startHeartbeat } from './heartbeat.ts'
import { Postman } from './postman.ts'
import { answerInThread, prepareThread } from './postman-threads.ts'

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
