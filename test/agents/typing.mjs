// Does its job by typing commands, as an agent does that has a shell.
import { walkByCommands } from './work.mjs'

await walkByCommands()
