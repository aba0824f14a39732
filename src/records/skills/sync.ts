import path from 'node:path'
import { NotDoneError } from '../../errors/fed-error.ts'
import { createOnce, disk, replaceFile, WRITABLE } from '../../platform/storage/disk.ts'
import { authorOf } from '../../platform/storage/temporary.ts'
import { backOff } from '../../platform/storage/versioned-document.ts'
import { earlierFile, exchange, recover } from './exchange.ts'
import type { Skill } from './skill.ts'
import { besideFile, madeSkillFolder, originalFile, type SkillFolder } from './skill-folder.ts'
import { lookAt, read, type Look } from './skill-state.ts'

/** What a synchronization did with a skill. */
export type Action =
  /** It was as it ships. */
  | 'current'
  /** The team changed it, and nothing newer ships than what it was given. */
  | 'kept'
  | 'updated'
  /** The team changed it: its own stays, and the newer one lies beside it. */
  | 'offered'
  | 'installed'
  /** The team removed it, and it stays so. */
  | 'removed'
  /** The team had removed it, and it was asked for. */
  | 'restored'
  /** Left as it is. */
  | 'unreadable'

export interface Synced {
  readonly skill: string
  /** Absolute path. */
  readonly file: string
  readonly action: Action
  /** Absolute path of our text beside the team's, while the team has not taken it away. */
  readonly beside?: string
  /** What is in the way and not ours to remove, or why the skill cannot be read. */
  readonly fault?: string
}

/** How often a skill is tried that somebody else keeps writing at the same moment. */
const tries = 20

/**
 * Brings a workspace's skills up to what ships: what nobody changed is replaced, beside what the team changed the
 * newer one is laid, and what it removed stays away. Safe when several do it at once, and when one of them is killed
 * in the middle.
 * @param restore whether what the team removed comes back.
 * @throws {RefusedError} when the folder leads out of the workspace; {NotDoneError}
 */
export function syncSkills(workspace: string, skills: readonly Skill[], restore: boolean): Synced[] {
  const folder = madeSkillFolder(workspace)
  sweep(folder)
  return skills.map((skill) => ({
    skill: skill.file,
    file: path.join(folder.dir, skill.file),
    ...syncOne(folder, skill, restore),
  }))
}

type Outcome = Omit<Synced, 'skill' | 'file'>

function syncOne(folder: SkillFolder, skill: Skill, restore: boolean): Outcome {
  const file = path.join(folder.dir, skill.file)
  for (let lost = 0; lost < tries; backOff((lost += 1))) {
    const { original, ours } = lookAt(folder, skill)
    recover(file, folder.originals, [original, ours])
    recover(besideFile(folder, skill.file), folder.originals, [original, ours])
    const done = attempt(folder, skill, restore)
    if (done !== undefined) return done
  }
  throw new NotDoneError(`${file} was not brought up to date`, 'somebody else keeps writing it; try again')
}

/** @returns undefined when somebody else wrote the skill meanwhile. */
function attempt(folder: SkillFolder, skill: Skill, restore: boolean): Outcome | undefined {
  const file = path.join(folder.dir, skill.file)
  const beside = besideFile(folder, skill.file)
  const look = lookAt(folder, skill)
  const { text = '', ours } = look
  /** Notes that the team was given our text. */
  const settle = (action: Action): Outcome => {
    keepOriginal(originalFile(folder, skill.file), ours)
    return { action }
  }
  const create = (action: Action) =>
    createOnce(file, ours, folder.originals, { mode: WRITABLE }) ? settle(action) : undefined
  switch (look.standing) {
    case 'current':
      withdraw(folder, skill, look)
      return settle('current')
    case 'changed':
      return { action: 'kept', ...(look.beside !== undefined && { beside }) }
    case 'outdated':
      if (!exchange(file, text, ours, folder.originals)) return undefined
      // the team took over what lay there, which would be in the way of what is laid next
      withdraw(folder, skill, look)
      return settle('updated')
    case 'missing':
      return create('installed')
    case 'removed':
      return restore ? create('restored') : { action: 'removed' }
    case 'unreadable':
      return { action: 'unreadable', fault: look.fault }
    case 'diverged': {
      const laid = layBeside(folder, beside, look)
      if (laid === 'blocked') return { action: 'kept', fault: `${beside} is in the way: move it away` }
      return laid === 'laid' ? { ...settle('offered'), beside } : undefined
    }
    default:
      return look.standing satisfies never
  }
}

/** Lays ours beside the team's; what lies there already is replaced only if it is an older one of ours. */
function layBeside(
  { originals }: SkillFolder,
  file: string,
  { beside, original, ours }: Look,
): 'laid' | 'overtaken' | 'blocked' {
  if (beside === ours) return 'laid'
  if (beside !== undefined && beside !== original) return 'blocked'
  const isLaid =
    beside === undefined
      ? createOnce(file, ours, originals, { mode: WRITABLE })
      : exchange(file, beside, ours, originals)
  if (isLaid) return 'laid'
  // somebody wrote a text there meanwhile, or it is no file at all
  return read(file).fault === undefined ? 'overtaken' : 'blocked'
}

/** Removes the text that was laid beside a skill, if nobody changed it. */
function withdraw(folder: SkillFolder, { file }: Skill, { original, ours, beside }: Look): void {
  if (beside !== undefined && (beside === ours || beside === original))
    exchange(besideFile(folder, file), beside, undefined, folder.originals)
}

/**
 * Keeps our text as the one that the team was given last. Another text that was kept before stays beside it,
 * as `<file>.earlier-<digest>`: it may have been changed by hand.
 */
function keepOriginal(file: string, text: string): void {
  const before = disk.read(file)
  if (before === text) return
  if (before !== undefined) createOnce(earlierFile(file, before), before)
  replaceFile(file, text)
  disk.syncDirectory(path.dirname(file))
}

function sweep({ originals }: SkillFolder): void {
  for (const name of disk.list(originals))
    if (authorOf(name) === 'dead') disk.unlink(path.join(originals, name))
}
