import { lstatSync } from 'node:fs'
import type { VersionedDocument } from '../../platform/storage/versioned-document.ts'
import { versionsDirectory } from '../../platform/storage/versioned-steps.ts'
import { lookAt, type Look, type VersionCopy } from './document-look.ts'
import { clearVersion, rebuildVersion } from './document-repair.ts'
import { copyBack, newerFinding, reasonOf, type Found } from './finding.ts'
import { isCommitOf, publishedFindings } from './published-findings.ts'

/**
 * What is wrong with a versioned document; empty where it is whole, or where there is none at all.
 * @param newest how many of its newest versions are examined.
 */
export function documentFindings<Content extends object>(
  document: VersionedDocument<Content>,
  newest: number,
): Found[] {
  let look: Look
  try {
    look = lookAt(document, newest)
  } catch (error) {
    const where = versionsDirectory(document.shape.file)
    return [{ severity: 'error', where, message: reasonOf(error), fix: copyBack }]
  }
  if (look.published === undefined && look.versions.length === 0) return []
  const newer = [look.published, ...look.versions.toReversed()].find((copy) => copy?.newer !== undefined)
  if (newer?.newer !== undefined) return [newerFinding(newer.newer)]
  const findings = [
    ...damagedVersions(document, look),
    ...brokenChain(document, look),
    ...publishedFindings(document, look),
  ]
  return findings.some(({ severity }) => severity === 'error')
    ? findings
    : [...findings, ...refused(document)]
}

/** A finding with the error of a plain read of the document: the checks may have missed a fault. */
function refused<Content extends object>(document: VersionedDocument<Content>): Found[] {
  try {
    document.read()
    return []
  } catch (error) {
    const message = reasonOf(error)
    return [{ severity: 'error', where: document.shape.file, message, fix: copyBack }]
  }
}

function damagedVersions<Content extends object>(
  { shape }: VersionedDocument<Content>,
  { published, versions }: Look,
): Found[] {
  const newest = versions.at(-1)
  return versions.flatMap((version): Found[] => {
    const { fault, file, number } = version
    if (fault === undefined) return []
    if (version !== newest) return [olderDamage(version, shape.handEdits === 'keep')]
    const message = `version ${number}, the newest, is damaged: ${fault}`
    const isSame = version.commit === undefined || version.commit === published?.commit
    if (isSame && isCommitOf(published, number, versions.at(-2))) {
      const repair = () => rebuildVersion(shape.file, number, published.text)
      return [
        { severity: 'error', where: file, message, fix: 'the published file is the same commit', repair },
      ]
    }
    const below = versions.at(-2)
    if (isNoFile(file)) {
      const noVersion = `what has the name of version ${number} can be none: ${fault}`
      const fix = 'it can be put aside, with all that is in it'
      return [{ severity: 'error', where: file, message: noVersion, fix, repair: () => clearVersion(file) }]
    }
    const fix =
      below === undefined || below.fault !== undefined
        ? copyBack
        : `put it back from a copy; without one, move it away by hand: that gives up what it held and goes on from version ${below.number}`
    return [{ severity: 'error', where: file, message, fix }]
  })
}

/** Whether a folder, a link or the like has a version's name: fed never commits these. */
function isNoFile(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() === false
}

function olderDamage({ number, file, fault }: VersionCopy, isCollected: boolean): Found {
  const message = `version ${number} is damaged: ${fault}`
  return isCollected
    ? { severity: 'note', where: file, message: `${message}; nobody reads it any more` }
    : { severity: 'error', where: file, message: `${message}; the history has a hole`, fix: copyBack }
}

function brokenChain<Content extends object>(
  { shape }: VersionedDocument<Content>,
  { versions }: Look,
): Found[] {
  return versions.slice(1).flatMap((next, index): Found[] => {
    const before = versions[index] as VersionCopy
    if (before.fault !== undefined || next.fault !== undefined) return []
    if (next.number !== before.version + 1) {
      const message = `after version ${before.version} comes ${next.number}: what was between is missing`
      return shape.handEdits === 'keep'
        ? []
        : [{ severity: 'error', where: next.file, message, fix: copyBack }]
    }
    if (next.previous === before.commit) return []
    const message = `it does not follow version ${before.version}`
    return [{ severity: 'error', where: next.file, message, fix: copyBack }]
  })
}
