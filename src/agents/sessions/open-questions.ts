import { validate, version as versionOf } from 'uuid'
import { controlSubjects } from '../../../machines/guards.ts'
import { missionBegan } from '../../engine/step/mission-began.ts'
import type { Actor } from '../../engine/step/world.ts'
import { readDuration } from '../../protocol/duration.ts'
import { compactTimestamp, kebab } from '../../protocol/event-name.ts'
import type { SignalMessage } from '../../protocol/signal.ts'
import { idOfOutcome, isAnswerTo } from '../../records/signals/answer-link.ts'
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
 * the alert that no answer will come. Other programs do not make such ids: where one question to a team is open,
 * the next word of that team answers it (see `isWord`); where several are, none of them.
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
  const answered = answeredOf(asked, [...mailbox.all(), ...archivedSignals(mailbox.workspace, since)])
  const patience = readDuration(world.config.questionTimeout) as number
  return asked
    .filter((one) => !answered.has(one))
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
 * before), or `again` (only repetitions, and what nobody answered in time).
 * @param since ISO 8601.
 */
export function hasAsked(actor: Actor, since: string): 'nothing' | 'anew' | 'again' {
  const names = disk.list(actor.mailbox.outbox).filter((name) => questionName.test(name))
  const mission = names.length === 0 ? [] : askedSince(actor, names, missionBegan(actor))
  const essence = ({ to, subject, body }: FiledSignal) => JSON.stringify([to, subject, body])
  const known = new Set(mission.filter((one) => isBefore(one, since)).map(essence))
  const asked = mission.filter((one) => !isBefore(one, since))
  if (asked.length === 0) return 'nothing'
  // what nobody answered in time excuses nothing
  return asked.some((one) => !known.has(essence(one)) && !isUnanswered(actor, one)) ? 'anew' : 'again'
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
 * The questions that have an answer, as `openQuestions` describes, each with when it came.
 * @param heard whatever came to the team.
 */
function answeredOf(
  asked: readonly FiledSignal[],
  heard: readonly FiledSignal[],
): ReadonlyMap<FiledSignal, number> {
  const answered = new Map<FiledSignal, number>()
  for (const question of asked) {
    const times = heard.filter((one) => isAnswerTo(question, one)).map(timeOf)
    if (times.length > 0) answered.set(question, Math.min(...times))
  }
  for (const word of heard.filter(isWord).toSorted((a, b) => timeOf(a) - timeOf(b))) {
    const isOpen = (one: FiledSignal) => (answered.get(one) ?? Infinity) > timeOf(word)
    const [question, ...others] = asked.filter(
      (one) => one.to === word.from && follows(word, one) && isOpen(one),
    )
    if (question !== undefined && others.length === 0 && !answered.has(question))
      answered.set(question, timeOf(word))
  }
  return answered
}

/**
 * Whether a signal can be an answer that no id links to its question. A question back and a control directive such as
 * `pause` cannot, nor can what fed itself says to a signal: its id names that one.
 */
function isWord({ id, type, subject }: FiledSignal): boolean {
  if (type === 'directive') return !controlSubjects.includes(kebab(subject))
  return type !== 'question' && !(validate(id) && versionOf(id) === 5)
}

/** Whether a signal came behind another one, as far as its time tells: some programs write whole seconds. */
function follows(word: FiledSignal, question: FiledSignal): boolean {
  const [later, earlier] = [timeOf(word), timeOf(question)]
  return later >= (later % 1000 === 0 ? earlier - (earlier % 1000) : earlier)
}

function timeOf({ timestamp }: FiledSignal): number {
  return Date.parse(timestamp)
}

/** Whether a team was told that there is no answer to its question. */
export function isUnanswered({ mailbox }: Pick<Actor, 'mailbox'>, { id, to }: SignalMessage): boolean {
  const told = idOfOutcome(to, id, 'no-answer')
  return mailbox.all().some((one) => one.id === told)
}

function isBefore({ timestamp }: FiledSignal, time: string): boolean {
  return Date.parse(timestamp) < Date.parse(time)
}
