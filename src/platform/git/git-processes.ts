import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import path from 'node:path'
import { hasCode } from '../storage/system-error.ts'

/**
 * The id of a git process that may be at work in one of these folders: its working folder lies there, or an argument
 * names one of them. A process that does not show its folder counts where it is of the user `owner`, who made the
 * file in question: nobody else can be holding it. Where the system does not show folders at all (no /proc), any git
 * counts.
 * @returns undefined when there is none.
 * @throws where processes cannot be listed: then nobody knows.
 */
export function gitAtWork(folders: readonly string[], owner: number): number | undefined {
  if (process.platform !== 'linux') return anyGit()
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((pid) => isGit(pid) && isAtWork(pid, folders, owner))
}

/** A program of git's, such as `git` or `git-remote-https`. */
function isGitName(name: string): boolean {
  return /^git(?:-|$)/.test(name)
}

function isGit(pid: number): boolean {
  const { text } = shown(() => readFileSync(`/proc/${pid}/comm`, 'utf8').trim())
  return text !== undefined && isGitName(text)
}

function isAtWork(pid: number, folders: readonly string[], owner: number): boolean {
  const folder = shown(() => readlinkSync(`/proc/${pid}/cwd`))
  const words = shown(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
  if ([...(words.text ?? '').split('\0'), folder.text ?? ''].some((word) => namesOne(word, folders)))
    return true
  return folder.isHidden && shown(() => String(statSync(`/proc/${pid}`).uid)).text === String(owner)
}

/** Whether a word, such as `--git-dir=/code/shop/.git`, is or holds the path of a folder or of something in it. */
function namesOne(word: string, folders: readonly string[]): boolean {
  return folders.some((folder) => `${word}${path.sep}`.includes(`${folder}${path.sep}`))
}

/** What the kernel shows of a process; nothing of one that has ended. */
function shown(look: () => string): { readonly text?: string; readonly isHidden: boolean } {
  try {
    return { text: look(), isHidden: false }
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ESRCH')) return { isHidden: false }
    if (hasCode(error, 'EACCES', 'EPERM')) return { isHidden: true }
    throw error
  }
}

function anyGit(): number | undefined {
  const list = execFileSync('ps', ['-A', '-o', 'pid=,comm='], { encoding: 'utf8', env: { LC_ALL: 'C' } })
  const lines = list.split('\n').map((line) => /^\s*(\d+)\s+(.+)$/.exec(line.trimEnd()))
  const found = lines.find((line) => line?.[2] !== undefined && isGitName(path.basename(line[2])))
  return found?.[1] === undefined ? undefined : Number(found[1])
}
