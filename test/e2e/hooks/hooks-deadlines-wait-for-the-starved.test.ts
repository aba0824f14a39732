// Proves that a deadline tells a hook that never gets the processor from one that waits for something else: the first
// is given as much time as a busy machine may take. It fails when good hooks are refused on a busy machine.
import { execFileSync, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { bundle } from '../../support/bundle.ts'

const deadlineMs = 500
/** So many deadlines are waited for at most. */
const most = 6

test.runIf(process.platform === 'linux')(
  'what wants the processor and never gets it is waited for',
  async () => {
    const turning = ['-c', '0', process.execPath, '-e', 'for (;;);']
    const other = spawn('taskset', turning, { stdio: 'ignore' })
    onTestFinished(() => void other.kill('SIGKILL'))
    const program = spawn(process.execPath, [await bundle('workers/starved.ts'), String(deadlineMs)])
    onTestFinished(() => void program.kill('SIGKILL'))
    const lines = createInterface(program.stdout)[Symbol.asyncIterator]()
    const thread = String((await lines.next()).value)
    // from now on it gets what the other leaves, which is next to nothing
    execFileSync('taskset', ['-c', '-p', '0', thread])
    execFileSync('chrt', ['--idle', '--pid', '0', thread])
    program.stdin.write('\n')
    expect(Number((await lines.next()).value)).toBeGreaterThanOrEqual(most * deadlineMs)
  },
)
