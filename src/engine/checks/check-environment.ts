import { outsideOfHooks } from '../../platform/git/git-start.ts'
import { pathOutside } from '../../platform/process/find-program.ts'

/** What says in whose name somebody acts: a check acts for no team. */
const ofTeams = /^FED_(?!CHECK_|DURABILITY$)/

/** What changes what a well-known program does: whoever reports would decide how a check is run. */
const steering = /^(?:(?:GNU)?MAKEFLAGS|MFLAGS|MAKELEVEL|BASH_ENV|ENV|LD_PRELOAD|GIT_CONFIG.*)$/

/**
 * The environment of a check: this process's, without what makes it a team's agent, and with no folder of the
 * federation's work tree on the PATH, where an agent could put a program of a well-known name.
 */
export function checkEnvironment(root: string): NodeJS.ProcessEnv {
  const kept = Object.entries(outsideOfHooks()).filter(
    ([name]) => !ofTeams.test(name) && !steering.test(name),
  )
  return { ...Object.fromEntries(kept), PATH: pathOutside([root]) }
}
