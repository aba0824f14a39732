/** What a program knows of a federation's own code that was loaded into it. */
interface OwnCode {
  /** Takes an error that arose in that code while nobody waited for it; false for any other error. */
  readonly takeStray: (error: unknown) => boolean
}

const loaded = new Map<string, OwnCode>()

/** Notes that a module runs in this process. */
export function noteOwnCode(file: string, code: OwnCode): void {
  loaded.set(file, code)
}

/** Whether what such a module left (a timer, a server) may keep the process from ending. */
export function hasOwnCode(): boolean {
  return loaded.size > 0
}

/** Whether an error that nobody caught is such a module's: then it was told, and stops nobody. */
export function takeStray(error: unknown): boolean {
  return [...loaded.values()].some((code) => code.takeStray(error))
}
