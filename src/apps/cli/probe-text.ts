import { counted } from '../../errors/printable.ts'
import { isWrong, type Outcome } from '../doctor/probe/attempt.ts'
import { holds, probing, runProbe, type Probed } from '../doctor/probe/run-probe.ts'
import type { CommonOptions } from './declare-command.ts'
import { note, print, table } from './output.ts'
import { openToRead } from './scope.ts'

const words: Readonly<Record<Outcome, string>> = {
  refused: 'refused',
  given: 'given',
  reached: 'REACHED',
  denied: 'DENIED',
  absent: '–',
}

/** Probes the walls, and shows what each kind of agent reached; exit code 1 where that is not as it should be. */
export async function showProbe(options: CommonOptions): Promise<void> {
  const { federation } = await openToRead(options)
  note(options, 'probing the walls; nothing of this federation is touched')
  const probed = await runProbe(federation.root)
  print(options, { holds: holds(probed), probed }, () =>
    [table([['', ...probing], ...probed.map(rowOf)]), '', conclusion(probed)].join('\n'),
  )
  if (!holds(probed)) process.exitCode = 1
}

function rowOf({ what, outcomes }: Probed): string[] {
  return [what, ...probing.map((id) => words[outcomes[id]])]
}

function conclusion(probed: readonly Probed[]): string {
  const wrong = probed.flatMap(({ outcomes }) => probing.filter((id) => isWrong(outcomes[id])))
  if (wrong.length > 0) return `${counted(wrong.length, 'attempt')} ended as none should: REACHED or DENIED`
  return 'the walls hold: everything is refused but what is given'
}
