import { spawn } from 'node:child_process'
import { gitStart } from '../platform/git/git-start.ts'

// `--no-optional-locks`: a survey reads, it must not even refresh the index. Names as they are, never quoted.
// What a person configured for their own eyes must not change what is read.
const BASE = [
  '--no-optional-locks',
  '--no-replace-objects',
  ...[
    'core.quotePath=false',
    'core.attributesFile=/dev/null',
    'diff.algorithm=default',
    'diff.renameLimit=1000',
    'log.showSignature=false',
    'log.showRoot=true',
    'log.diffMerges=off',
    'log.mailmap=true',
    'mailmap.file=',
    'mailmap.blob=',
  ].flatMap((setting) => ['-c', setting]),
]

/**
 * Output of a git command in `root`; undefined where git exits with other than 0. Several may run at once,
 * beside the caller, who must give the event loop a turn now and then so that their pipes drain.
 * @throws where git cannot be started, or must not be; see `gitStart`.
 */
export async function git(
  root: string,
  args: readonly string[],
  input?: string,
): Promise<string | undefined> {
  const start = gitStart(root, [...BASE, ...args])
  const child = spawn(start.file, start.args, {
    cwd: root,
    env: start.env,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'ignore'],
  })
  const chunks: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
  // A git that ends before it has read everything says so by its exit.
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(input)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  return code === 0 ? Buffer.concat(chunks).toString('utf8') : undefined
}

export const nulList = (text: string | undefined): string[] =>
  (text ?? '').split('\0').filter((item) => item !== '')
