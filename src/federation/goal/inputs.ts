import path from 'node:path'
import { digestOf, documentsOf, type ProvenDocument } from '../../engine/step/goal-evidence.ts'
import type { World } from '../../engine/step/world.ts'
import { unless } from '../../errors/unless.ts'
import { replaceFile, WRITABLE } from '../../platform/storage/disk.ts'
import { readPlain } from '../../platform/storage/plain-file.ts'
import { makeFolders } from '../../platform/storage/without-links.ts'
import { inputFile, inputsFolder } from '../../protocol/folder-layout.ts'
import type { RegistryEntry } from '../../protocol/registry-schema.ts'
import type { TaskOfGoal } from '../../engine/step/task-of-team.ts'

/** A finished task's result, as it lies before the team of another. */
export interface Input {
  readonly task: string
  /** Absolute path of its document here; undefined where the result is no document. */
  readonly file: string | undefined
  /** What proves it: a document's digest, or how its commits came into their target. */
  readonly proof: string
  /** What is wrong with it now, in words; undefined while it is as it was proven. */
  readonly fault: string | undefined
}

/**
 * Lays documents before a team as they were proven, with their digests as `sha256sum -c` reads them.
 * @param coordinator its copies stand in for what teams changed since.
 */
export function layInputs(
  entry: RegistryEntry,
  documents: readonly ProvenDocument[],
  coordinator: RegistryEntry = entry,
): void {
  if (documents.length === 0) return
  const folder = inputsFolder(entry)
  makeFolders(folder)
  const aside = path.join(entry.location, '.fed')
  for (const document of documents) {
    const to = inputFile(entry, document)
    if (digestOf(to) === document.proof) continue
    const from = [document.file, inputFile(coordinator, document)].find(
      (file) => digestOf(file) === document.proof,
    )
    // one that is nowhere any more is told where its team asks for it
    const bytes = from && unless('ENOENT', () => readPlain(from, { largestBytes: Infinity }))
    if (bytes) replaceFile(to, bytes.toString('utf8'), aside, { mode: WRITABLE })
  }
  const sums = documents.map((document) => {
    const name = path.basename(inputFile(entry, document))
    return `${document.proof.replace(/^sha256:/, '')}  ${name}\n`
  })
  const list = path.join(folder, 'SHA256SUMS')
  const present = unless('ENOENT', () => readPlain(list).toString('utf8'))
  if (present !== sums.join('')) replaceFile(list, sums.join(''), aside, { mode: WRITABLE })
}

/** The results that a task waits for, and those of all tasks where none is named. */
export function inputsOf(
  world: Pick<World, 'registry' | 'config' | 'elsewhere'>,
  entry: RegistryEntry,
  {
    coordinator,
    context,
    task,
  }: Pick<TaskOfGoal, 'coordinator' | 'context'> & { readonly task?: TaskOfGoal['task'] },
): Input[] {
  const isMeant = (id: string) => task === undefined || task.after.includes(id)
  const documents = new Map(
    documentsOf({ team: coordinator, world: world as World }, context).map((one) => [one.task, one]),
  )
  return Object.entries(context.tasks).flatMap(
    ([
      id,
      {
        state,
        context: { proof },
      },
    ]): Input[] => {
      if (state !== 'done' || proof === null || !isMeant(id)) return []
      const document = documents.get(id)
      if (document === undefined) return [{ task: id, file: undefined, proof, fault: undefined }]
      const file = inputFile(entry, document)
      const present = digestOf(document.file)
      const fault =
        present === undefined
          ? 'its team has it no more'
          : present === proof
            ? undefined
            : 'its team changed it since it was proven'
      return [{ task: id, file, proof, fault }]
    },
  )
}
