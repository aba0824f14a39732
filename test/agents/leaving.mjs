// Does its job, and leaves two children behind that hold its output open: one of them does not end when asked.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { walk } from './work.mjs'

for (const onRequest of ['', "process.on('SIGTERM', () => undefined);"]) {
  const script = `${onRequest} setInterval(() => undefined, 60_000); console.log('child ' + process.pid)`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout, 'data')
  process.stdout.write(line)
  child.unref()
  child.stdout.unref()
}
await walk()
process.exit()
