import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { v4 as uuid } from 'uuid'
import { oldestMergingGit } from '../codebase/merge-proof.ts'
import { gitVersion, isOlder, oldestGit } from '../git.ts'
import { federationLayout } from '../protocol/layout.ts'
import { disk } from '../storage/disk.ts'
import { hasCode } from '../storage/system-error.ts'
import type { Finding } from './finding.ts'
import type { Patient } from './patient.ts'
import { reasonOf } from './reason.ts'
import { spaceFindings } from './space.ts'

/** What fed needs of the machine: node, git, and a file system that can give a file two names. */
export function environmentFindings({ root }: Patient): Finding[] {
  return [
    node(),
    gitProgram(root),
    durability(),
    hardLinks(federationLayout(root).fed),
    spaceFindings(root),
  ].flat()
}

const area = 'environment'

/** The oldest version that fed runs on; `engines` of package.json says the same. */
const oldestNode = [20, 19] as const

function node(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isOld = major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1])
  const version = `node ${process.versions.node}`
  if (!isOld) return { severity: 'ok', area, message: version }
  return {
    severity: 'error',
    area,
    message: `${version} is too old`,
    fix: `install node ${oldestNode.join('.')} or newer`,
  }
}

function gitProgram(root: string): Finding {
  try {
    const { name, numbers } = gitVersion(root)
    const install = ([major, minor]: readonly [number, number]) => `install git ${major}.${minor} or newer`
    if (isOlder(numbers, oldestGit)) {
      const message = `${name} is too old for worktrees of teams`
      return { severity: 'error', area, message, fix: install(oldestGit) }
    }
    if (isOlder(numbers, oldestMergingGit)) {
      const message = `${name} cannot tell work that was merged as one commit`
      return { severity: 'warning', area, message, fix: install(oldestMergingGit) }
    }
    return { severity: 'ok', area, message: name }
  } catch (error) {
    return { severity: 'error', area, message: reasonOf(error), fix: 'install git' }
  }
}

function durability(): Finding {
  const { FED_DURABILITY: setting } = process.env
  if (setting === 'process') {
    const message = 'FED_DURABILITY=process: what was committed may not survive a power cut'
    return { severity: 'note', area, message, fix: 'unset it where that matters' }
  }
  if (!setting || setting === 'power')
    return { severity: 'ok', area, message: 'what is committed survives a power cut' }
  return {
    severity: 'warning',
    area,
    message: `FED_DURABILITY is '${setting}', which means nothing and counts as 'power'`,
    fix: 'set it to power or process, or unset it',
  }
}

/** Tries it: nothing that a file system says about itself is as sure. */
function hardLinks(fed: string): Finding[] {
  if (!disk.exists(fed)) return []
  const trial = path.join(fed, `.${uuid()}.trial`)
  try {
    mkdirSync(trial)
    disk.create(path.join(trial, 'a'), '', { isDurable: false })
    disk.link(path.join(trial, 'a'), path.join(trial, 'b'))
    return [{ severity: 'ok', area, message: 'the file system has hard links' }]
  } catch (error) {
    const isReadOnly = hasCode(error, 'EROFS', 'EACCES', 'ENOSPC', 'EDQUOT')
    const message = isReadOnly
      ? `nothing can be written here: ${reasonOf(error)}`
      : `the file system has no hard links (${reasonOf(error)}), which signals and commits need`
    const fix = isReadOnly
      ? 'make room, or give permission'
      : 'keep the repository on a file system such as ext4, XFS, APFS or NTFS'
    return [{ severity: 'error', area, where: fed, message, fix }]
  } finally {
    rmSync(trial, { recursive: true, force: true })
  }
}
