import { disk, makeDirectory } from './disk.ts'
import { versionFile, versionsDirectory } from './versioned-steps.ts'

/**
 * Lays a versioned document down as it was committed elsewhere, durable; nobody may look there yet.
 * @param versions at least one, ascending, each as its file was.
 */
export function writeVersions(
  file: string,
  versions: readonly { readonly number: number; readonly text: string }[],
): void {
  const folder = versionsDirectory(file)
  makeDirectory(folder)
  for (const { number, text } of versions) disk.create(versionFile(file, number), text)
  const last = versions.at(-1)
  if (last !== undefined) disk.create(file, last.text)
  disk.syncDirectory(folder)
}
