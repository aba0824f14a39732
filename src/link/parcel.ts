import { closeSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import * as z from 'zod/mini'
import { RefusedError } from '../errors/fed-error.ts'
import { unless } from '../errors/unless.ts'
import { readPlain, writeAt } from '../platform/storage/plain-file.ts'
import { createNew, makeFolders } from '../platform/storage/without-links.ts'
import { ownFormat } from '../protocol/own-format.ts'

/** Most bytes that a team may take along. */
const largest = 256 * 1024 * 1024

/** A path below the workspace: no word of it is `..`, `.git` or empty. */
const below = z.string().check(
  z.regex(/^(?!\.{1,2}(?:\/|$))[^/\\\0]+(?:\/(?!\.{1,2}(?:\/|$))[^/\\\0]+)*$/),
  z.refine((name) => !/(?:^|\/)\.git(?:\/|$)/.test(name)),
)

/** How what a team takes along is written. */
export const parcelFormat = ownFormat(
  'fed-parcel-1',
  z.strictObject({
    files: z.array(z.strictObject({ path: below, base64: z.string(), isProgram: z.optional(z.boolean()) })),
    /** Folders without anything in them. */
    folders: z.optional(z.array(below)),
  }),
)

/** Folders of `.fed` that are made anew elsewhere, or belong to what happened here. */
const staying =
  /^\.fed\/(?:tray|answers|skills|codebase|hook-calls|lifecycle\.d|lifecycle\.json|team\.json)(?:\/|$)/

/**
 * What a team takes along besides its life and its branch: everything in its workspace, or of a worktree what fed keeps
 * there; and what of it cannot travel: links and pipes, which lead out of it.
 * @throws {RefusedError} where it is too much.
 */
export function pack(
  workspace: string,
  isWorktree: boolean,
  deliverable: string,
): { readonly parcel: Uint8Array; readonly staying: readonly string[] } {
  const files: { path: string; base64: string; isProgram?: boolean }[] = []
  const folders: string[] = []
  const left: string[] = []
  let bytes = 0
  const add = (name: string) => {
    const file = path.join(workspace, name)
    const content = readPlain(file, { largestBytes: largest })
    bytes += content.length
    if (bytes > largest)
      throw new RefusedError(
        `${workspace} holds more than ${largest} bytes: remove what the team does not need`,
      )
    const isProgram = (statSync(file).mode & 0o100) !== 0
    files.push({ path: name, base64: content.toString('base64'), ...(isProgram && { isProgram }) })
  }
  const walk = (folder: string) => {
    const all = readdirSync(path.join(workspace, folder), { withFileTypes: true })
    if (all.length === 0) folders.push(folder)
    for (const one of all) {
      const name = folder === '' ? one.name : `${folder}/${one.name}`
      if (staying.test(name) || one.name === '.git') continue
      // the other site would refuse all of it, and nobody had the team
      if (!below.safeParse(name).success || name.includes('\uFFFD'))
        throw new RefusedError(
          `${JSON.stringify(name)} in ${workspace} is a name that cannot travel: rename it`,
        )
      if (one.isDirectory()) walk(name)
      else if (one.isFile()) add(name)
      else left.push(name)
    }
  }
  if (isWorktree) {
    walk('.fed')
    const own = readdirSync(workspace, { withFileTypes: true }).find(({ name }) => name === deliverable)
    if (own?.isFile()) add(deliverable)
  } else walk('')
  return { parcel: gzipSync(parcelFormat.textOf({ files, folders })), staying: left }
}

/**
 * Lays what a team took along into its new workspace; what is there already stays.
 * @param only of a worktree: the one file that is laid beside what fed keeps there.
 */
export function unpack(parcel: Uint8Array, workspace: string, only?: string): void {
  const text = gunzipSync(parcel, { maxOutputLength: 2 * largest }).toString('utf8')
  const { files, folders = [] } = parcelFormat.decode(JSON.parse(text), 'the parcel')
  // another site says what is in it
  const isMeant = (name: string) =>
    !staying.test(name) && (only === undefined || name === only || name.startsWith('.fed/'))
  for (const name of folders) if (isMeant(name)) makeFolders(path.join(workspace, name))
  for (const { path: name, base64, isProgram } of files) {
    if (!isMeant(name)) continue
    const file = path.join(workspace, name)
    makeFolders(path.dirname(file))
    const descriptor = unless('EEXIST', () => createNew(file, isProgram === true ? 0o755 : 0o644))
    if (descriptor === undefined) continue
    try {
      writeAt(file, descriptor, Buffer.from(base64, 'base64'), null)
    } finally {
      closeSync(descriptor)
    }
  }
}
