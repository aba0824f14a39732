import type { FileHistory, History } from './commit-history.ts'
import type { SurveyedFile } from './surveyed-file.ts'

interface HotSpot {
  file: SurveyedFile
  history: FileHistory
}

/** Where change meets size: change × size, highest first. */
export function findHotSpots(history: History | undefined, sources: readonly SurveyedFile[]): HotSpot[] {
  const files = history?.files ?? {}
  return sources
    .flatMap((file) => {
      const found = files[file.path]
      return found === undefined || found.commits < 2 ? [] : [{ file, history: found }]
    })
    .toSorted(
      (a, b) =>
        b.history.commits * b.file.facts.lines - a.history.commits * a.file.facts.lines ||
        (a.file.path < b.file.path ? -1 : 1),
    )
}
