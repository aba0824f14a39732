// An agent that notes who else is at work for its team, does one thing through `fed`, and ends: `<fed arguments>`.
import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

const log = path.join(process.env.FED_WORKSPACE, 'agents.jsonl')

/** A process that has ended but that nobody has collected yet does nothing any more. */
function isAtWork(pid) {
  try {
    process.kill(pid, 0)
    const stat = `/proc/${pid}/stat`
    return !existsSync(stat) || !/\) [ZX] /.test(readFileSync(stat, 'utf8'))
  } catch {
    // no such process, or it went between the two looks
    return false
  }
}

/** Its gate leads its process group; a sandbox may stand between the two. */
const group = existsSync('/proc/self/stat')
  ? Number(/\) \S+ \d+ (\d+) /.exec(readFileSync('/proc/self/stat', 'utf8'))?.[1])
  : process.ppid

// first tell, then look: of two that start at one moment at least one sees the other
appendFileSync(log, `${JSON.stringify({ started: process.pid, gate: group })}\n`)
const others = readFileSync(log, 'utf8')
  .trim()
  .split('\n')
  .flatMap((line) => JSON.parse(line).started ?? [])
  .filter((pid) => pid !== process.pid && isAtWork(pid))
if (others.length > 0) appendFileSync(log, `${JSON.stringify({ beside: others })}\n`)

const { status } = spawnSync('fed', process.argv.slice(2), { stdio: 'inherit' })
process.exit(status ?? 1)
