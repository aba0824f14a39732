// What the storage tests start as processes of their own: `<command> <file> <name> <times>`.
import fs, { writeSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { appendLine } from '../../src/platform/storage/append-log.ts'
import { count, counter } from '../support/counter.ts'

const [command, file = '', name = '', times = '0'] = process.argv.slice(2)

/** Calls through to the real file system and counts how often it was asked to make something durable. */
function countedSyncs(act: () => void): number {
  let calls = 0
  const { fdatasyncSync, fsyncSync } = fs
  fs.fdatasyncSync = (descriptor) => {
    calls += 1
    fdatasyncSync(descriptor)
  }
  fs.fsyncSync = (descriptor) => {
    calls += 1
    fsyncSync(descriptor)
  }
  syncBuiltinESMExports()
  act()
  return calls
}

/** Permissions do not bind root, so it is given up; only now, because nobody else may read root's copy of node. */
function giveUpRoot(): void {
  if (process.getuid?.() === 0) process.setuid?.(65_534)
}

const document = counter(file)
switch (command) {
  case 'count-unprivileged':
    giveUpRoot()
    count(document, name)
    break
  case 'count':
    for (let turn = 1; turn <= Number(times); turn += 1) {
      const { version } = count(document, name)
      if (version % 10 === 0) document.collect({ keep: 20, minimumAgeMs: 0 })
      // only what is certainly committed is told
      writeSync(1, `${turn}\n`)
    }
    break
  case 'append':
    for (let turn = 0; turn < Number(times); turn += 1) {
      appendLine(file, { name, turn, padding: 'ä'.repeat((turn * 977) % 9000) })
      writeSync(1, `${turn}\n`)
    }
    break
  case 'syncs':
    writeSync(1, `${countedSyncs(() => count(document))} ${countedSyncs(() => appendLine(`${file}l`, {}))}`)
    break
  default:
    throw new Error(`no command ${command}`)
}
