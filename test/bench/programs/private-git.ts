// What it costs to make a coding team's repository within walls ready, in a process of its own, as a launcher does it:
// `private-git.mjs <root> <worktree> <rounds>`; tells milliseconds of a mission's first session and of its next ones.
import { standHere } from '../../../src/platform/confinement/bubblewrap.ts'
import {
  makePrivatePlace,
  privatePlace,
  removePrivatePlace,
} from '../../../src/platform/private-git/place.ts'
import { git } from '../../../src/platform/git/git.ts'
import { askInside } from '../../../src/platform/private-git/inside.ts'
import { prepare } from '../../../src/platform/private-git/prepare.ts'
import { realRepository } from '../../../src/platform/private-git/real-repository.ts'
import { takeOver } from '../../../src/platform/private-git/commit-takeover.ts'

const [root = '', workTree = '', rounds = '1'] = process.argv.slice(2)
const { file, ...open } = await standHere()
const first: number[] = []
const next: number[] = []
const nothingNew: number[] = []
// what a process costs on this machine now, to compare with
const outside: number[] = []
const inside: number[] = []
const count = file === undefined ? 0 : Number(rounds)
for (let round = 0; round < count; round += 1) {
  const place = privatePlace([root, 'api'])
  removePrivatePlace(place)
  const timed = (act: () => void) => {
    const begun = performance.now()
    act()
    return performance.now() - begun
  }
  const ready = () => {
    const real = realRepository(root, workTree)
    if (real === undefined) throw new Error('no worktree')
    makePrivatePlace(place)
    const one = { real, place, walls: String(file) }
    prepare(one, 'api', 'mission')
    return one
  }
  first.push(timed(ready))
  next.push(timed(ready))
  const one = ready()
  outside.push(timed(() => git(root, 'rev-parse', 'fed/api')))
  inside.push(timed(() => askInside(one, ['rev-parse', 'fed/api'])))
  nothingNew.push(timed(() => takeOver(one, { team: 'api', bases: [] })))
}
process.stdout.write(JSON.stringify({ ...open, first, next, nothingNew, outside, inside }))
