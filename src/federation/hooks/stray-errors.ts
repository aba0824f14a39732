/** What a program knows of a federation's own code that was loaded into it. */
interface OwnCode {
  /** Records an error that arose in that code while nobody waited for it; false for any other error. */
  readonly takeStray: (error: unknown) => boolean
}

const loaded = new Map<string, OwnCode>()

/** Notes that a module runs in this process. */
export function noteOwnCode(file: string, code: OwnCode): void {
  loaded.set(file, code)
}

/** Whether a module was loaded: what it left open (a timer, a server) may keep the process from ending. */
export function hasOwnCode(): boolean {
  return loaded.size > 0
}

/** Whether an uncaught error arose in such a module: then it was recorded, and the process may go on. */
export function takeStray(error: unknown): boolean {
  return [...loaded.values()].some((code) => code.takeStray(error))
}
