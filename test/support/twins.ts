import { bundle } from './bundle.ts'
import { newFolder } from './federation.ts'
import { Gate } from './gate.ts'
import { start } from './program.ts'

/** What became of one process's act in one round. */
export interface Outcome {
  readonly result?: unknown
  readonly error?: string
  readonly message?: string
}

/**
 * Starts one process for each act and lets them go at the same moment, round after round.
 * @param prepare runs before each round, when nobody does anything.
 * @returns for each round what became of each act, in the order of `acts`.
 */
export async function atOnce(
  root: string,
  acts: readonly string[],
  rounds: number,
  prepare: (round: number) => Promise<void>,
): Promise<Outcome[][]> {
  const program = await bundle('workers/twin.ts')
  const gate = new Gate(newFolder('gate'))
  const twins = acts.map((act) => start(program, [act, root, gate.folder, String(rounds)]))
  for (let round = 1; round <= rounds; round += 1) {
    await gate.gathered(round, twins.length)
    await prepare(round)
    await gate.open(round, twins.length)
  }
  await gate.open(rounds + 1, twins.length)
  const told = await Promise.all(
    twins.map(async ({ ended }) => {
      const { code, stdout, stderr } = await ended
      if (code !== 0 || stderr !== '') throw new Error(`a twin exited ${code}: ${stderr}`)
      return stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Outcome)
    }),
  )
  return Array.from({ length: rounds }, (_, round) => told.map((one) => one[round] as Outcome))
}
