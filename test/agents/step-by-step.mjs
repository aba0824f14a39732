// What the agents of coding teams and consultants have in common: they look where their team stands, and do what is
// to be done there, until nobody waits for them. They leave no file beside their work.
import { spawnSync } from 'node:child_process'

/** Runs `fed`; returns its exit code and its output. */
export function fed(...args) {
  const { status, stdout, stderr } = spawnSync('fed', args, { encoding: 'utf8' })
  return { status, stdout, stderr }
}

export function done(program, ...args) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} exited ${status}: ${stderr}`)
  return stdout
}

/** Does what its steps say for each state, as long as they have anything to say. */
export function walk(steps) {
  for (;;) {
    const status = JSON.parse(done('fed', 'status', process.env.FED_TEAM, '--json'))
    const step = steps[status.state]
    if (step === undefined) return
    console.log(`working on ${status.state}`)
    step(status)
  }
}
