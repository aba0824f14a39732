// Does its job.
import { walk } from './work.mjs'

await walk()
