import path from 'node:path'
import * as z from 'zod/mini'
import { ownFormat } from './own-format.ts'

/**
 * What an agent asks of fed: a file `<id>.json` in its session's tray. An agent can write whatever it likes there;
 * none of it is believed but what the agent wants.
 */
const requestSchema = z.strictObject({
  id: z.uuid(),
  /** Name of the request, such as `report`. */
  verb: z.string().check(z.regex(/^[a-z][a-z-]{0,31}$/)),
  /** As whom it was asked, where that was said: a team's id or name, or `meta`. */
  as: z.optional(z.string().check(z.maxLength(200))),
  args: z.record(z.string(), z.unknown()),
})
export type TrayRequest = z.infer<typeof requestSchema>
export const requestFormat = ownFormat('fed-request-1', requestSchema)

/** What became of a request: the file of the same name beside the tray's other end, where an agent only reads. */
const answerSchema = z.union([
  z.strictObject({ value: z.unknown() }),
  z.strictObject({
    error: z.strictObject({
      name: z.string(),
      message: z.string(),
      exitCode: z.int(),
      /** What the operating system said, where it said something. */
      system: z.optional(
        z.strictObject({ code: z.string(), syscall: z.string(), path: z.optional(z.string()) }),
      ),
    }),
  }),
])
export type TrayAnswer = z.infer<typeof answerSchema>
export const answerFormat = ownFormat('fed-answer-1', answerSchema)

/** Largest request that is read, in bytes: a body of a mebibyte, each character written as an escape. */
export const largestRequest = 8 * 1024 * 1024

/** Name of a session's tray, and of the folder of its answers. */
export function trayName({ mission, number }: { readonly mission: number; readonly number: number }): string {
  return `${mission}-${number}`
}

/** The mission and the session of a tray's name; undefined for another name. */
export function sessionOfTray(
  name: string,
): { readonly mission: number; readonly number: number } | undefined {
  const [, mission, number] = /^([1-9]\d{0,8})-([1-9]\d{0,8})$/.exec(name) ?? []
  return mission === undefined ? undefined : { mission: Number(mission), number: Number(number) }
}

/** The folder of answers that belongs to a tray, by the tray's path. */
export function answersOf(tray: string): string {
  return path.join(path.dirname(path.dirname(tray)), 'answers', path.basename(tray))
}

/** File in the folder of answers whose time moves while somebody serves the tray. */
export const heartbeatName = 'alive'

/** The file to which a running request's words to people are appended. */
export function progressName(id: string): string {
  return `${id}.progress`
}
