import path from 'node:path'
import { digestOf, documentsOf, type ProvenDocument } from '../../engine/step/goal-evidence.ts'
import type { World } from '../../engine/step/world.ts'
import { unless } from '../../errors/unless.ts'
import { replaceFile, WRITABLE } from '../../platform/storage/disk.ts'
import { readPlain } from '../../platform/storage/plain-file.ts'
import { makeFolders } from '../../platform/storage/without-links.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
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

/** Where a team's inputs lie: beside its work, and in a worktree where git ignores them. */
export function inputsFolder({
  location,
  placementType,
}: Pick<RegistryEntry, 'location' | 'placementType'>): string {
  return placementType === 'worktree' ? workspaceLayout(location).inputs : path.join(location, 'inputs')
}

function fileOf(folder: string, { task, file }: ProvenDocument): string {
  return path.join(folder, `${task}${path.extname(file)}`)
}

/** Lays documents before a team, with their digests as `sha256sum -c` reads them. What is there already stays. */
export function layInputs(entry: RegistryEntry, documents: readonly ProvenDocument[]): void {
  if (documents.length === 0) return
  const folder = inputsFolder(entry)
  makeFolders(folder)
  const aside = path.join(entry.location, '.fed')
  for (const document of documents) {
    const to = fileOf(folder, document)
    if (digestOf(to) === document.proof) continue
    const bytes = unless('ENOENT', () => readPlain(document.file, { largestBytes: Infinity }))
    // one that is gone is told where its team asks for it
    if (bytes !== undefined) replaceFile(to, bytes.toString('utf8'), aside, { mode: WRITABLE })
  }
  const sums = documents.map((document) => {
    const name = path.basename(fileOf(folder, document))
    return `${document.proof.replace(/^sha256:/, '')}  ${name}\n`
  })
  const list = path.join(folder, 'SHA256SUMS')
  const present = unless('ENOENT', () => readPlain(list).toString('utf8'))
  if (present !== sums.join('')) replaceFile(list, sums.join(''), aside, { mode: WRITABLE })
}

/** The results that a task waits for, and those of all tasks where none is named. */
export function inputsOf(
  world: Pick<World, 'registry' | 'config'>,
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
      const file = fileOf(inputsFolder(entry), document)
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
