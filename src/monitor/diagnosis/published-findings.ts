import { disk } from '../../platform/storage/disk.ts'
import type { VersionedDocument } from '../../platform/storage/versioned-document.ts'
import type { Copy, Look, VersionCopy } from './document-look.ts'
import { publishAnew, publishNewest, rebuildVersion } from './document-repair.ts'
import { copyBack, type Found } from './finding.ts'

/** A version younger than this may be about to be published by the process that committed it. */
const publishingMs = 10_000

/** Whether the published file is the commit that should stand in a version's place. */
export function isCommitOf(
  published: Copy | undefined,
  number: number,
  below: Copy | undefined,
): published is Copy & { commit: string } {
  if (published === undefined || published.fault !== undefined || published.commit === undefined) return false
  if (published.version !== number || below?.fault !== undefined) return false
  return below === undefined ? published.previous === null : published.previous === below.commit
}

/** What is wrong with a published file, as its versions show it. */
export function publishedFindings<Content extends object>(
  document: VersionedDocument<Content>,
  { published, versions }: Look,
): Found[] {
  const { file, handEdits } = document.shape
  const newest = versions.at(-1)
  const source = newest?.fault === undefined ? newest : undefined
  const anew = source && {
    fix: `it can be written from version ${source.number}; this one is kept beside it`,
    repair: () => publishAnew(document),
  }
  const behind = source && {
    fix: `version ${source.number} can be published again`,
    repair: () => publishNewest(document),
  }
  const bad = (message: string, cure: typeof anew): Found[] => [
    { severity: 'error', where: file, message, ...(cure ?? { fix: copyBack }) },
  ]
  if (published === undefined)
    return [{ severity: 'warning', where: file, message: 'it is missing', ...(behind ?? { fix: copyBack }) }]
  if (published.fault !== undefined) return bad(`it is damaged: ${published.fault}`, anew)
  if (newest === undefined && handEdits === 'refuse') return bad('there is no version of it', undefined)
  if (newest === undefined || source === undefined) return []

  const match = versions.find(({ commit }) => commit !== undefined && commit === published.commit)
  if (match === undefined) return stranger(published, newest)
  if (match.text !== published.text) {
    if (handEdits === 'refuse') return bad(`it was edited: it differs from version ${match.number}`, anew)
    if (match === newest)
      return [
        { severity: 'note', where: file, message: 'it was edited by hand; the next write builds on that' },
      ]
  }
  if (match === newest) return []
  return [
    {
      severity: behindSeverity(newest),
      where: file,
      message: `it shows version ${match.number} of ${newest.number}`,
      ...behind,
    },
  ]

  /** A published file that is none of the versions. */
  function stranger(copy: Copy, last: VersionCopy): Found[] {
    if (copy.version <= last.version) {
      const message = `it shows version ${copy.version} of ${last.version}, and another one than was committed`
      return [{ severity: behindSeverity(last), where: file, message, ...anew }]
    }
    const number = last.version + 1
    if (isCommitOf(copy, number, last)) {
      const message = `version ${number}, which it shows, is missing in the folder beside it`
      const repair = () => rebuildVersion(file, number, copy.text)
      return [{ severity: 'error', where: file, message, fix: 'it can be written from this file', repair }]
    }
    if (handEdits === 'keep')
      return [
        { severity: 'note', where: file, message: 'another program wrote it; the next write builds on that' },
      ]
    return bad(`it shows version ${copy.version}, but the newest committed is ${last.version}`, undefined)
  }
}

/** Just after a commit it is no wonder; publishing it then as well does no harm. */
function behindSeverity(newest: VersionCopy): 'note' | 'warning' {
  return (disk.age(newest.file) ?? 0) < publishingMs ? 'note' : 'warning'
}
