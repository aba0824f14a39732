// Does not end when it is asked to.
import { walk } from './work.mjs'

process.on('SIGTERM', () => undefined)
await walk('scanning')
console.log(`ready ${process.pid}`)
setInterval(() => undefined, 60_000)
