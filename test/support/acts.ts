import { monitor, type Federation, type SignalDraft } from '../../src/index.ts'

/** Something that a process does to a federation with a team named `team`; plain data, so that it can be told to another thread. */
export type Act = { readonly time: number } & (
  | { readonly kind: 'send'; readonly draft: SignalDraft }
  /** A directive of meta or a milestone of the team's own, and the step that it causes. */
  | { readonly kind: 'tell'; readonly draft: SignalDraft }
  | { readonly kind: 'step' | 'monitor' }
  | { readonly kind: 'acknowledge'; readonly signal: string }
)

const realNow = Date.now

/** What was killed in the middle of an act leaves the clock where it was. */
export function restoreClock(): void {
  Date.now = realNow
}

/** Runs `act` while this thread's clock shows `time`, in milliseconds. */
export async function at<Result>(time: number, act: () => Promise<Result>): Promise<Result> {
  Date.now = () => time
  try {
    return await act()
  } finally {
    restoreClock()
  }
}

/** Does it at its time, as a process does that has this federation open. */
export async function perform(federation: Federation, act: Act): Promise<void> {
  await at(act.time, async () => {
    switch (act.kind) {
      case 'send':
        await federation.send(act.draft)
        return
      case 'tell':
        await federation.send(act.draft)
        await (await federation.team('team')).step()
        return
      case 'step':
        await (await federation.team('team')).step()
        return
      case 'monitor': {
        const failed = (await monitor(federation)).teams.find(({ error }) => error !== undefined)
        if (failed !== undefined) throw new Error(failed.error)
        return
      }
      case 'acknowledge':
        federation.mailbox('team').acknowledge(act.signal)
        return
      default:
        act satisfies never
    }
  })
}
