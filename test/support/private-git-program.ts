// What tests start as a process of its own: `<root> <worktree> <what>` is a session's `end`, or makes ready for one of the
// mission that is named, on the private repository of the worktree's team.
import { standHere } from '../../src/platform/confinement/bubblewrap.ts'
import { privatePlace } from '../../src/platform/private-git/place.ts'
import { prepare } from '../../src/platform/private-git/prepare.ts'
import { realRepository } from '../../src/platform/private-git/real-repository.ts'
import { takeOver } from '../../src/platform/private-git/commit-takeover.ts'

const [root = '', workTree = '', what = ''] = process.argv.slice(2)
const real = realRepository(root, workTree)
const { file } = await standHere()
if (real === undefined || file === undefined) throw new Error('no worktree within walls')
const one = { real, place: privatePlace([root, 'api']), walls: file }
if (what === 'end') takeOver(one, { team: 'api', bases: [] }, { isToBeThere: false })
else prepare(one, 'api', what)
