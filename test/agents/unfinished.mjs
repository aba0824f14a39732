// Ends without finishing as often as its argument says, then does its job.
import { starts, walk } from './work.mjs'

if (starts > Number(process.argv[2])) await walk()
