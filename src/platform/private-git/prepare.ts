import { copyFileSync, lstatSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { RefusedError } from '../../errors/fed-error.ts'
import { succeedsUnless } from '../../errors/unless.ts'
import { git } from '../git/git.ts'
import { branchOf } from '../git/worktree.ts'
import { isSystemError } from '../storage/system-error.ts'
import { GitFolder } from './git-folder.ts'
import { askInside, objectsInside, type Inside } from './inside.ts'
import { keepOrPutAside } from './keep-rest.ts'
import { makePrivatePlace, missionOf, removePrivatePlace } from './place.ts'
import {
  headOf,
  notesOf,
  packed,
  refFormat,
  refsIn,
  refsOutside,
  rulesOf,
  takenRef,
  textOf,
  type RealRepository,
  type Ref,
} from './real-repository.ts'
import { seenConfig, settingsIn } from './seen-config.ts'
import { removeStaging } from './staged-commits.ts'

/**
 * Makes a team's private repository ready for a session, while nobody works in it: refs, configuration and rules as
 * they are outside now, no hooks. What the agent made in an earlier session of the same mission stays: branches, tags,
 * stashes, what was begun in the worktree. What cannot stay is kept as rescued work, and where that fails the whole
 * repository is put aside. Copies no object. Again it changes nothing; killed anywhere, it is done again.
 * @param mission words that tell the mission from the team's others.
 * @returns what was put aside, in words.
 * @throws {RefusedError} where too much lies aside.
 */
export function prepare(one: Inside, team: string, mission: string): string[] {
  const { real, place } = one
  const branch = `refs/heads/${branchOf(team)}`
  const { refs: outside, taken } = refsOutside(real, team)
  const tip = outside.find(({ name }) => name === branch)?.object
  if (tip === undefined) throw new RefusedError(`${team} has no branch ${branchOf(team)} any more`)
  const before = missionOf(place)
  let inside = before === mission ? refsInside(one) : undefined
  const goesOn = inside !== undefined && taken === tip
  const aside = before === undefined || goesOn ? undefined : keepOrPutAside(one, team)
  if (aside !== undefined) inside = undefined
  if (inside === undefined) removePrivatePlace(place)
  makePrivatePlace(place)
  removeStaging(place)
  const folder = new GitFolder(place.git, place.folder)
  const own = ownRefs(one, { inside: inside ?? [], outside, branch, goesOn })
  layOver(folder, real, [...new Map([...outside, ...own].map((ref) => [ref.name, ref])).values()])
  if (!goesOn) checkOut(folder, real, `ref: ${branch}\n`)
  link(folder, real)
  writeFileSync(place.copied, packed(outside))
  if (taken !== tip) git(real.root, 'update-ref', takenRef(team), tip)
  writeFileSync(place.mission, mission)
  return aside === undefined ? [] : [aside]
}

/** Of a git that was killed with its session: nobody holds any of them. */
function clearLocks(folder: GitFolder, note: string): void {
  for (const below of ['', `worktrees/${note}/`]) {
    const names = readdirSync(folder.folder(below))
    for (const name of names) if (/\.lock$|^gc\.pid$/.test(name)) folder.remove(`${below}${name}`)
  }
}

/** Its refs, where it is a repository still and has what they name; undefined where the agent broke it. */
function refsInside(one: Inside): Ref[] | undefined {
  const { real, place } = one
  const isCleared = succeedsUnless(isSystemError, () =>
    clearLocks(new GitFolder(place.git, place.folder), real.note),
  )
  const printed = isCleared ? askInside(one, ['for-each-ref', `${refFormat} %(objecttype)`]) : undefined
  return printed === undefined ? undefined : refsIn(printed)
}

interface Refs {
  readonly inside: readonly Ref[]
  readonly outside: readonly Ref[]
  /** Full name of the team's branch. */
  readonly branch: string
  /** Whether its tip inside counts, and not that outside. */
  readonly goesOn: boolean
}

/**
 * What the agent made of refs: those that it made or moved, and its branch where it goes on with it. Of one that
 * somebody else moved as well, or whose name is in the way of another, the commit stays under `refs/kept/`.
 */
function ownRefs({ place }: Inside, { inside, outside, branch, goesOn }: Refs): Ref[] {
  const copied = objectsOf(refsIn(textOf(place.copied)))
  const there = objectsOf(outside)
  const names = [...there.keys()]
  const isInTheWay = (name: string) =>
    (name === branch ? !goesOn : copied.get(name) !== there.get(name)) ||
    names.some((other) => other.startsWith(`${name}/`) || name.startsWith(`${other}/`))
  return inside
    .filter(
      ({ name, object }) => object !== there.get(name) && (name === branch || object !== copied.get(name)),
    )
    .map((ref) => (isInTheWay(ref.name) ? { name: `refs/kept/${ref.object}`, object: ref.object } : ref))
}

function objectsOf(refs: readonly Ref[]): Map<string, string> {
  return new Map(refs.map(({ name, object }) => [name, object]))
}

/** Everything that all worktrees share, but the objects that were made inside. */
function layOver(folder: GitFolder, real: RealRepository, refs: readonly Ref[]): void {
  const settings = settingsIn(real.workTree)
  const rules = rulesOf(real, settings)
  for (const name of ['objects/info', 'info', 'objects/pack']) folder.folder(name)
  folder.put(
    'objects/info/alternates',
    objectsInside(real)
      .map((at) => `${at}\n`)
      .join(''),
  )
  for (const name of ['objects/info/commit-graph', 'objects/info/commit-graphs', 'hooks', 'config.worktree'])
    folder.remove(name)
  folder.put('config', seenConfig(settings, rules.objectFormat))
  folder.put('info/exclude', rules.exclude)
  folder.put('info/attributes', rules.attributes)
  folder.remove('info/grafts')
  if (rules.shallow === '') folder.remove('shallow')
  else folder.put('shallow', rules.shallow)
  folder.put('HEAD', headOf(real))
  // packed first: until the loose ones are gone they say the same, or what was there before
  folder.put('packed-refs', packed(refs))
  folder.remove('refs')
  folder.folder('refs/heads')
  for (const { name, symbolic } of refs) if (symbolic !== undefined) folder.put(name, `ref: ${symbolic}\n`)
}

/** What is checked out in the worktree, as it is outside. */
function checkOut(folder: GitFolder, real: RealRepository, head: string): void {
  const note = `worktrees/${real.note}`
  folder.remove(note)
  const place = folder.folder(note)
  const outside = notesOf(real)
  const parts = readdirSync(outside).filter((name) => name.startsWith('sharedindex.'))
  for (const name of ['index', ...parts]) {
    const from = path.join(outside, name)
    const found = lstatSync(from, { throwIfNoEntry: false })
    if (found === undefined) continue
    copyFileSync(from, path.join(place, name))
    // git looks again at files that are as young as its index
    utimesSync(path.join(place, name), found.atime, found.mtime)
  }
  folder.put(`${note}/HEAD`, head)
}

/** What ties the worktree to its repository. */
function link(folder: GitFolder, real: RealRepository): void {
  const note = `worktrees/${real.note}`
  folder.put(`${note}/gitdir`, `${path.join(real.workTree, '.git')}\n`)
  folder.put(`${note}/commondir`, '../..\n')
  const sparse = rulesOf(real, []).sparseCheckout
  folder.remove(`${note}/config.worktree`)
  if (sparse !== '') folder.put(`${note}/info/sparse-checkout`, sparse)
}
