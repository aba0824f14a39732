import { oldestMergingGit } from '../../platform/git/merge-proof.ts'
import { gitVersion, isOlder, oldestGit } from '../../platform/git/git.ts'
import { federationLayout } from '../../protocol/folder-layout.ts'
import { refusalIn } from '../../platform/storage/folder-fault.ts'
import { linkFault, NoHardLinksError } from '../../platform/storage/hard-links.ts'
import { reasonOf, type Found } from '../../monitor/diagnosis/finding.ts'
import type { View } from '../../monitor/diagnosis/view.ts'
import { spaceFindings } from './disk-space-checks.ts'

/** What fed needs of the machine: node, git, and a file system that can give a file two names. */
export function environmentFindings({ root }: View): Found[] {
  return [node(), gitProgram(root), durability(), hardLinks(root), spaceFindings(root)].flat()
}

/** The oldest version that fed runs on; `engines` of package.json says the same. */
const oldestNode = [20, 19] as const

function node(): Found {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isOld = major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1])
  const version = `node ${process.versions.node}`
  if (!isOld) return { severity: 'ok', message: version }
  return {
    severity: 'error',
    message: `${version} is too old`,
    fix: `install node ${oldestNode.join('.')} or newer`,
  }
}

function gitProgram(root: string): Found {
  try {
    const { name, numbers } = gitVersion(root)
    const install = ([major, minor]: readonly [number, number]) => `install git ${major}.${minor} or newer`
    if (isOlder(numbers, oldestGit)) {
      const message = `${name} is too old for worktrees of teams`
      return { severity: 'error', message, fix: install(oldestGit) }
    }
    if (isOlder(numbers, oldestMergingGit)) {
      const message = `${name} cannot tell work that was merged as one commit`
      return { severity: 'warning', message, fix: install(oldestMergingGit) }
    }
    return { severity: 'ok', message: name }
  } catch (error) {
    return { severity: 'error', message: reasonOf(error), fix: 'install git' }
  }
}

function durability(): Found {
  const { FED_DURABILITY: setting } = process.env
  if (setting === 'process') {
    const message = 'FED_DURABILITY=process: what was committed may not survive a power cut'
    return { severity: 'note', message, fix: 'unset it where that matters' }
  }
  if (!setting || setting === 'power')
    return { severity: 'ok', message: 'what is committed survives a power cut' }
  return {
    severity: 'warning',
    message: `FED_DURABILITY is '${setting}', which means nothing and counts as 'power'`,
    fix: 'set it to power or process, or unset it',
  }
}

function hardLinks(root: string): Found[] {
  const fault = linkFault(federationLayout(root).fed)
  if (fault === undefined) return [{ severity: 'ok', message: 'the file system has hard links' }]
  const { where, kind, error } = fault
  if (kind === 'not-writable') {
    const refusal = refusalIn(where, error)
    return [{ severity: 'error', where, message: refusal.what, fix: refusal.advice }]
  }
  const { what, advice } = new NoHardLinksError(where, error)
  return [{ severity: 'error', where, message: what, fix: advice, isFatal: true }]
}
