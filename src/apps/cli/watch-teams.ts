import { dispatch, type Dispatched } from '../../agents/dispatch/dispatch.ts'
import { waitForLease } from '../../agents/dispatch/lease.ts'
import { usualSlots } from '../../agents/dispatch/slots.ts'
import type { Federation } from '../../federation/federation.ts'
import type { Team } from '../../federation/team.ts'
import { conclude, type Conclusion } from './conclusion.ts'
import { interruption, INTERRUPTED } from './interruption.ts'
import { note } from './output.ts'
import { plainProgress, type ProgressView } from './progress.ts'
import { launchChoice, type SessionOptions } from './session-options.ts'

/**
 * Starts agents for whatever gives a team work, until it is interrupted.
 * @returns how the launches of each team ended, the last of each.
 */
export async function watchTeams(
  federation: Federation,
  options: SessionOptions & { readonly parallel?: number },
): Promise<Conclusion[]> {
  const signal = interruption()
  const release = await waitForLease(federation.root, signal, () =>
    note(
      options,
      'another process dispatches the teams of this federation; this one takes over when it ends',
    ),
  )
  if (release === undefined) return []
  const views = new Map<string, ProgressView>()
  const ends = new Map<string, Conclusion>()
  const slots = options.parallel ?? usualSlots()
  note(options, `watching: at most ${slots} agents at once; Ctrl-C ends it, and the teams stay as they are`)
  const tell = (team: Team, happened: Dispatched) => {
    const { id } = team
    if (happened.kind === 'progress') {
      const view = views.get(id) ?? plainProgress(options, id)
      views.set(id, view)
      return view.show(happened.progress)
    }
    views.delete(id)
    const conclusion: Conclusion =
      happened.kind === 'ended'
        ? conclude(team, happened.status, options.agent)
        : {
            team: id,
            state: team.present().state,
            reason: `stopped: ${happened.error.message}`,
            exitCode: happened.error.exitCode,
          }
    ends.set(id, conclusion)
    if (conclusion.reason !== undefined && !signal.aborted) note(options, `${id} ${conclusion.reason}`)
  }
  try {
    await dispatch(federation, {
      isMeant: () => true,
      slots,
      choice: launchChoice(options),
      signal,
      onTeam: tell,
      isOver: () => false,
    })
  } finally {
    release()
  }
  process.exitCode = INTERRUPTED
  return [...ends.values()]
}
