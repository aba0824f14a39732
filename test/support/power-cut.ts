// What a power cut takes: what was written and not forced to the disk, and names of folders that were not forced either.
// The calls are what strace saw of all processes; what is lost of them is chosen by chance, as a disk does.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import path from 'node:path'
import type { Random } from '../simulation/random.ts'

export const hasStrace = process.platform === 'linux' && spawnSync('strace', ['--version']).status === 0

const calls = [
  ...['openat', 'write', 'pwrite64', 'writev', 'ftruncate', 'copy_file_range', 'fsync', 'fdatasync'],
  ...['rename', 'renameat', 'renameat2', 'link', 'linkat', 'unlink', 'unlinkat', 'clone', 'clone3', 'vfork'],
].join(',')

/** The command line that runs a command and writes its calls, and those of all that it starts, into a file. */
export function traced(log: string, command: readonly string[]): string[] {
  return [
    'strace',
    '-f',
    '-y',
    '-qq',
    '-s',
    '0',
    '--seccomp-bpf',
    '-e',
    `trace=${calls}`,
    '-o',
    log,
    ...command,
  ]
}

/** Runs a traced command, and ends whatever it started after a time, all at one moment; or lets it end. */
export async function cutAfter(
  [program = '', ...args]: readonly string[],
  { cwd, ms, log }: { readonly cwd: string; readonly ms: number; readonly log: string },
): Promise<void> {
  const env = { ...process.env, FED_DURABILITY: 'power' }
  const child = spawn(program, args, { cwd, env, stdio: 'ignore' })
  const ended = once(child, 'close')
  const timer = setTimeout(() => {
    // nobody gets past a call from here on
    child.kill('SIGSTOP')
    for (const id of new Disk(log).processes) {
      try {
        process.kill(id, 'SIGKILL')
      } catch {
        // it ended by itself
      }
    }
    child.kill('SIGKILL')
  }, ms)
  await ended
  clearTimeout(timer)
}

/** Bytes that one or several names lead to. */
interface Bytes {
  isFlushed: boolean
}

/** A name that a process gave, and whether its folder was forced to the disk since. */
interface Name {
  readonly bytes: Bytes
  isFlushed: boolean
}

/** What was written so far, by its path. */
export class Disk {
  readonly names = new Map<string, Name>()
  readonly processes = new Set<number>()
  readonly #processOf = new Map<number, number>()
  readonly #open = new Map<string, string>()

  constructor(log: string) {
    const begun = new Map<number, string>()
    for (const line of readFileSync(log, 'utf8').split('\n')) {
      const [, thread, text] = /^(\d+)\s+(.*)$/.exec(line) ?? []
      if (thread === undefined || text === undefined) continue
      const id = Number(thread)
      this.processes.add(this.#process(id))
      if (text.endsWith('<unfinished ...>')) begun.set(id, text.slice(0, -'<unfinished ...>'.length))
      else
        this.#take(
          id,
          text.replace(/^<\.\.\. \w+ resumed>/, () => begun.get(id) ?? ''),
        )
    }
  }

  #process = (thread: number) => this.#processOf.get(thread) ?? thread

  #take(thread: number, text: string): void {
    const [, call = '', given = '', result = ''] = /^(\w+)\((.*)\)\s+= (\d+.*)$/.exec(text) ?? []
    const [, opened] = /^\d+<([^>]*)>/.exec(given) ?? []
    const quoted = [...given.matchAll(/(?:AT_FDCWD|\d+)?(?:<([^>]*)>, )?"([^"]*)"/g)].map(
      ([, folder, name = '']) => this.#real(path.resolve(folder ?? '/', name)),
    )
    const [from = '', to = ''] = quoted
    if (call === 'clone' || call === 'clone3') {
      if (given.includes('CLONE_THREAD'))
        this.#processOf.set(Number.parseInt(result, 10), this.#process(thread))
    } else if (call === 'openat') {
      const [, descriptor = '', file = ''] = /^(\d+)<([^>]*)>/.exec(result) ?? []
      this.#open.set(`${this.#process(thread)}/${descriptor}`, file)
      if (/O_EXCL/.test(given) || (/O_CREAT/.test(given) && !this.names.has(file)))
        this.names.set(file, { bytes: { isFlushed: true }, isFlushed: false })
      else if (/O_TRUNC/.test(given)) this.#wrote(file)
    } else if (/sync$/.test(call) && opened !== undefined) {
      const name = this.names.get(opened)
      if (name !== undefined) name.bytes.isFlushed = true
      for (const [file, one] of this.names) if (path.dirname(file) === opened) one.isFlushed = true
    } else if (/^rename/.test(call)) {
      const { bytes } = this.names.get(from) ?? { bytes: { isFlushed: true } }
      // whether the earlier file of the name or this one is there: one of them is
      this.names.set(to, { bytes, isFlushed: true })
      this.names.delete(from)
    } else if (/^link/.test(call)) {
      this.names.set(to, { bytes: this.names.get(from)?.bytes ?? { isFlushed: true }, isFlushed: false })
    } else if (/^unlink/.test(call)) this.names.delete(from)
    else if (opened !== undefined) this.#wrote(opened)
  }

  #wrote(file: string): void {
    const name = this.names.get(file)
    if (name === undefined) this.names.set(file, { bytes: { isFlushed: false }, isFlushed: true })
    else name.bytes.isFlushed = false
  }

  /** A path without the descriptor of a folder that it begins with. */
  #real(file: string): string {
    const [, process_, descriptor, rest = ''] = /^\/proc\/(\d+)\/fd\/(\d+)(\/.*)?$/.exec(file) ?? []
    const folder = process_ === undefined ? undefined : this.#open.get(`${process_}/${descriptor}`)
    return folder === undefined ? file : folder + rest
  }

  /** Takes what a power cut may take below a folder: each with even chances. @returns the paths. */
  cut(folder: string, random: Random): string[] {
    return [...this.names].flatMap(([file, { bytes, isFlushed }]) => {
      if (!file.startsWith(`${folder}/`) || (isFlushed && bytes.isFlushed)) return []
      if (random.next() < 0.5 || !existsSync(file)) return []
      if (isFlushed) truncateSync(file)
      else rmSync(file)
      return [file]
    })
  }
}
