// Does not end when it is asked to.
import { walk } from './work.mjs'

process.on('SIGTERM', () => undefined)
walk('scanning')
setInterval(() => undefined, 60_000)
