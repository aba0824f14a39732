import { controlSubjects } from '../../../machines/guards.ts'
import { readPresent } from '../../engine/step/present.ts'
import type { Actor } from '../../engine/step/world.ts'
import { readDuration } from '../../protocol/duration.ts'
import { compactTimestamp, kebab } from '../../protocol/event-name.ts'
import { isAnswerTo } from '../../records/signals/answer-link.ts'
import { archivedSignals } from '../../records/signals/archive-months.ts'
import type { FiledSignal } from '../../records/signals/mailbox.ts'
import { disk } from '../../platform/storage/disk.ts'
import { asksAboutChange } from './codebase-change.ts'

/** A question that a team asked for its mission and that nobody answered yet. */
export interface OpenQuestion extends FiledSignal {
  /** Until when the team waits for the answer, in milliseconds since 1970. */
  readonly until: number
}

/**
 * Questions that the team asked others since its mission began and that have no answer, oldest first. They
 * are read from the mailboxes alone, so that every process finds the same, also after a kill. A question is
 * answered by a signal whose id is made from the question's: a reply, a consultant's answer, a refusal, or
 * the alert that no answer will come. Other programs do not make such ids: where only one question went to a
 * team, any later signal of that team answers it, except a question or a control directive.
 * @param names file names in the outbox, if it was listed just now.
 */
export function openQuestions(
  actor: Actor,
  names: readonly string[] = disk.list(actor.mailbox.outbox),
): OpenQuestion[] {
  const questions = names.filter((name) => questionName.test(name))
  // most teams never ask
  if (questions.length === 0) return []
  const since = missionBegan(actor)
  const asked = askedSince(actor, questions, since)
  if (asked.length === 0) return []
  const { mailbox, world } = actor
  // answers may have been moved to the archive since
  const heard = [...mailbox.all(), ...archivedSignals(mailbox.workspace, since)]
  const ever = () => mailbox.sent(questions)
  const patience = readDuration(world.config.questionTimeout) as number
  return asked
    .filter((one) => !isAnswered(one, asked, heard, ever))
    .map((one) => ({ ...one, until: Date.parse(one.timestamp) + patience }))
}

/** The question for whose answer a team waits. */
export interface WaitsFor {
  /** Id of the question. */
  readonly signal: string
  /** Who was asked: a team or `meta`. */
  readonly to: string
  readonly subject: string
  /** When it was asked, ISO 8601. */
  readonly since: string
}

/** The oldest open question; null where none is open. */
export function waitsFor([oldest]: readonly OpenQuestion[]): WaitsFor | null {
  if (oldest === undefined) return null
  const { id: signal, to, subject, timestamp: since } = oldest
  return { signal, to, subject, since }
}

/**
 * What a team asked others since a time: `nothing`, `anew` (something that it had not asked in this mission
 * before), or `again` (only repetitions).
 * @param since ISO 8601.
 */
export function hasAsked(actor: Actor, since: string): 'nothing' | 'anew' | 'again' {
  const names = disk.list(actor.mailbox.outbox).filter((name) => questionName.test(name))
  const mission = names.length === 0 ? [] : askedSince(actor, names, missionBegan(actor))
  const essence = ({ to, subject, body }: FiledSignal) => JSON.stringify([to, subject, body])
  const known = new Set(mission.filter((one) => isBefore(one, since)).map(essence))
  const asked = mission.filter((one) => !isBefore(one, since))
  if (asked.length === 0) return 'nothing'
  return asked.some((one) => !known.has(essence(one))) ? 'anew' : 'again'
}

/**
 * The questions to others since a time, without fed's own to `meta` about a changed codebase.
 * @param questions names of questions in the outbox.
 * @param since ISO 8601.
 */
function askedSince(actor: Actor, questions: readonly string[], since: string): FiledSignal[] {
  return actor.mailbox
    .sent(questions.filter((name) => name >= compactTimestamp(since)))
    .filter(
      (one) =>
        one.type === 'question' &&
        one.to !== actor.team &&
        !isBefore(one, since) &&
        !asksAboutChange(actor, one.id),
    )
}

/** File names of questions in an outbox, as specified; only the content decides what a signal is. */
const questionName = /^\d{4}-\d\d-\d\dT\d{6}Z-question-/

/**
 * Whether a question has its answer, as `openQuestions` describes.
 * @param asked the questions of this mission.
 * @param heard whatever came to the team.
 * @param ever every question that the team ever asked.
 */
function isAnswered(
  question: FiledSignal,
  asked: readonly FiledSignal[],
  heard: readonly FiledSignal[],
  ever: () => readonly FiledSignal[],
): boolean {
  if (heard.some((one) => isAnswerTo(question, one))) return true
  if (asked.filter(({ to }) => to === question.to).length > 1) return false
  const words = heard.filter(
    (one) => one.from === question.to && !isBefore(one, question.timestamp) && says(one),
  )
  if (words.length === 0) return false
  // a late answer to a question of an earlier mission does not answer this one
  const others = ever().filter(({ id }) => id !== question.id)
  return words.some((word) => !others.some((other) => isAnswerTo(other, word)))
}

/** Whether a signal can be an answer: a question back and a control directive such as `pause` cannot. */
function says({ type, subject }: FiledSignal): boolean {
  return type === 'directive' ? !controlSubjects.includes(kebab(subject)) : type !== 'question'
}

function isBefore({ timestamp }: FiledSignal, time: string): boolean {
  return Date.parse(timestamp) < Date.parse(time)
}

/** When the present mission began, ISO 8601: the time of its first version of the lifecycle. */
function missionBegan(actor: Actor): string {
  const { content } = readPresent(actor).head
  for (const number of actor.lifecycle.versions()) {
    const version = actor.lifecycle.version(number)
    if (version?.mission === content.mission) return version.at
  }
  return content.at
}
