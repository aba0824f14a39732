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
export function startHeartbeat(folder: Folder, name: string): { readonly end: () => void } {
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
