import { execFileSync } from 'node:child_process'

/**
 * git as a person or an agent has it, with whatever the repository's configuration and the environment name; fed's own
 * reaches no other repository. Returns what it prints, without the last line break.
 */
export function plainGit(dir: string, ...args: string[]): string {
  return execFileSync('git', args, {
    cwd: dir,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).replace(/\n$/, '')
}
