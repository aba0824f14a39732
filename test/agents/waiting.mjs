// Does the first step and then works on for ever; it ends when it is asked to.
import { walk } from './work.mjs'

await walk('scanning')
console.log(`ready ${process.pid}`)
setInterval(() => undefined, 60_000)
