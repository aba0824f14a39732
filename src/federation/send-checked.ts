import type { Federation } from './federation.ts'
import { missionBegan } from '../engine/step/mission-began.ts'
import { now } from '../protocol/time.ts'
import { META } from '../protocol/team-id.ts'
import { compose, type SignalDraft } from '../records/signals/compose.ts'
import type { FiledSignal } from '../records/signals/mailbox.ts'
import { isDelivered } from '../records/signals/deliver.ts'
import { assertNoMistypedControl } from './control-word.ts'
import { siteOf } from './site-of-team.ts'

/**
 * Sends what a person or an agent says. `Federation.send` delivers whatever a program gives it; here nothing is sent
 * that its sender did not mean, or would wait for in vain.
 * @param asMission a directive that is almost a control word is meant as it is.
 * @throws {UsageError} as `Federation.sendMany` does, and for a mistyped control word; {TeamNotFoundError};
 * {RefusedError} for a question that nobody would answer.
 */
export async function say(
  federation: Federation,
  draft: SignalDraft,
  { asMission = false }: { readonly asMission?: boolean | undefined } = {},
): Promise<FiledSignal> {
  const { type, subject, to } = draft
  if (type === 'directive' && !asMission) assertNoMistypedControl(subject, to)
  // one that was sent before is only sent again: it was checked then
  const isQuestion = type === 'question' && to !== META
  if (isQuestion && (draft.id === undefined || !isDelivered(compose(draft), federation.mailbox(to)))) {
    const { assertAnswerable } = await import('./answerable.ts')
    // of a team at another site only that one knows whether it answers
    if (siteOf(federation.root, to) === undefined)
      assertAnswerable(await federation.team(to), federation.registry.entry(to))
  }
  return federation.send(await dated(federation, draft))
}

/** A team's question is no older than its mission, also where the clock was set back: otherwise nobody waited for it. */
async function dated(federation: Federation, draft: SignalDraft): Promise<SignalDraft> {
  const { type, from, timestamp } = draft
  if (type !== 'question' || from === META || timestamp !== undefined) return draft
  const [present, began] = [now(), missionBegan((await federation.team(from)).actor)]
  return { ...draft, timestamp: Date.parse(began) > Date.parse(present) ? began : present }
}
