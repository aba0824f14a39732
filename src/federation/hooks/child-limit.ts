import { syncBuiltinESMExports } from 'node:module'

interface Limits {
  readonly timeout?: number | undefined
}

/**
 * Ends programs that this thread runs and waits for (`execSync` and the like) when they take too long: nothing ends
 * a thread that waits so, and its process waits for the thread.
 * @param longestMs asked at each call, in milliseconds.
 */
export function limitChildren(longestMs: () => number): void {
  // the very module that the hook gets
  const childProcess = process.getBuiltinModule('node:child_process')
  const { execSync, execFileSync, spawnSync } = childProcess
  const limited = (options: Limits | null | undefined) => ({
    ...options,
    timeout: Math.min(options?.timeout || Infinity, longestMs()),
    killSignal: 'SIGKILL' as const,
  })
  const withArguments =
    <Result>(run: (file: string, args: readonly string[], options: object) => Result) =>
    (file: string, args?: readonly string[] | Limits | null, options?: Limits | null): Result =>
      Array.isArray(args)
        ? run(file, args, limited(options))
        : run(file, [], limited(options ?? (args as Limits | null | undefined)))
  Object.assign(childProcess, {
    execSync: (command: string, options?: Limits | null) => execSync(command, limited(options)),
    execFileSync: withArguments(execFileSync),
    spawnSync: withArguments(spawnSync),
  })
  syncBuiltinESMExports()
}
