import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import path from 'node:path'
import { hasCode } from '../storage/system-error.ts'

/**
 * The id of a git process that may be at work in a place: its working folder lies there, or what it was given as an
 * argument or in a variable of git's. A process that does not show its folder counts where it is of the user `owner`,
 * who made the file in question: nobody else can be holding it. Where the system does not show folders at all (no
 * /proc), any git counts.
 * @param isThere whether an absolute path, at which there need not be anything, lies in that place.
 * @returns undefined when there is none.
 * @throws where processes cannot be listed: then nobody knows.
 */
export function gitAtWork(isThere: (place: string) => boolean, owner: number): number | undefined {
  if (process.platform !== 'linux') return anyGit()
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((pid) => isGit(pid) && isAtWork(pid, isThere, owner))
}

/** A program of git's, such as `git` or `git-remote-https`. */
function isGitName(name: string): boolean {
  return /^git(?:-|$)/.test(name)
}

function isGit(pid: number): boolean {
  const { text } = shown(() => readFileSync(`/proc/${pid}/comm`, 'utf8').trim())
  return text !== undefined && isGitName(text)
}

function isAtWork(pid: number, isThere: (place: string) => boolean, owner: number): boolean {
  const folder = shown(() => readlinkSync(`/proc/${pid}/cwd`))
  const listed = (name: string) =>
    shown(() => readFileSync(`/proc/${pid}/${name}`, 'utf8')).text?.split('\0') ?? []
  const variables = listed('environ').filter((variable) => variable.startsWith('GIT_'))
  const words = [...listed('cmdline'), ...variables].flatMap((word) => [word, valueOf(word)])
  const places = words.map((word) => path.resolve(folder.text ?? path.sep, word))
  if ([...(folder.text === undefined ? [] : [folder.text]), ...places].some(isThere)) return true
  return folder.isHidden && shown(() => String(statSync(`/proc/${pid}`).uid)).text === String(owner)
}

/** What follows the name in a word such as `--git-dir=../shop/.git` or `file:///code/shop`. */
function valueOf(word: string): string {
  return word.replace(/^[^=:]*[=:]/, '')
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
