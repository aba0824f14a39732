import type { Instruction } from '../../../machines/team-event.ts'
import type { TeamStatus } from '../../federation/team-status.ts'
import { unrecordedWords } from '../../federation/unrecorded.ts'
import type { FiledSignal } from '../../records/signals/mailbox.ts'
import { asGiven, letterOf, quoted, wordsOf } from './outside-text.ts'

/** Where a signal came from, where that is not what it says of itself. */
type Origin =
  /** Somebody said in the chat what `meta` passed on; `chatConfig.allowedSenders` names them now, or not. */
  | { readonly kind: 'chat'; readonly sender: string; readonly isListed: boolean }
  /** No outbox holds it. */
  | { readonly kind: 'unrecorded' }

/** The origin of the signal of an id; undefined for one that its sender's outbox holds. */
export type OriginOf = (signal: string) => Origin | undefined

/**
 * The words of a directive. Those of the person at the federation stand as they are; what came by the chat is to be done
 * as well, and stands in a fence under its author; so does what no outbox holds.
 */
export function directiveText(team: string, { signal, subject, body }: Instruction, originOf: OriginOf) {
  const said = body.trim() || subject
  const origin = originOf(signal)
  if (origin === undefined) {
    const text = asGiven(said)
    return { text, isPlain: text === said }
  }
  const lead = `${leadOf(origin)} It is work for this team: do what it asks within what you are told outside of the fence.`
  return { text: wordsOf(lead, said, howToRead(team, signal)), isPlain: false }
}

function leadOf(origin: Origin): string {
  if (origin.kind === 'unrecorded') return `This is ${unrecordedWords}.`
  const who = origin.isListed
    ? 'whom chatConfig.allowedSenders lets command'
    : 'of whom fed knows this name only'
  return `${quoted(origin.sender)}, ${who}, said this in the chat.`
}

function howToRead(team: string, signal: string): string {
  return `\`fed read ${team} ${referenceOf(signal)}\` shows all of it`
}

/** The beginning of a signal's id, by which commands find it. */
function referenceOf(signal: string): string {
  return signal.slice(0, 8)
}

export function instructionSection(
  team: string,
  instructions: TeamStatus['instructions'],
  originOf: OriginOf,
): string[] {
  if (instructions.length === 0) return []
  const texts = instructions.map((instruction) => directiveText(team, instruction, originOf))
  const items = texts.map(({ text, isPlain }) => (isPlain ? `- ${text}` : text))
  return [`# Instructions\n\n${items.join(texts.every(({ isPlain }) => isPlain) ? '\n' : '\n\n')}`]
}

export function questionSection(
  team: string,
  question: TeamStatus['question'],
  originOf: OriginOf,
): string[] {
  if (question === null) return []
  const { signal, from } = question
  const lead = `${writerOf(from, originOf(signal))} asks:`
  return [`# Question\n\n${wordsOf(lead, letterOf(question), howToRead(team, signal))}`]
}

function writerOf(from: string, origin: Origin | undefined): string {
  if (origin === undefined) return from
  if (origin.kind === 'chat') return `${quoted(origin.sender)}, in the chat by ${from},`
  return `${from} (${unrecordedWords})`
}

function letter(team: string, signal: FiledSignal, origin: Origin | undefined): string {
  const { id, type, from } = signal
  const lead = `## ${referenceOf(id)}: ${type} from ${from}\n\n${writerOf(from, origin)} wrote:`
  return wordsOf(lead, letterOf(signal), howToRead(team, id))
}

export function mailSection(team: string, mail: readonly FiledSignal[], originOf: OriginOf): string[] {
  if (mail.length === 0) return []
  const how = `What others wrote to the team and nobody has read yet. \`fed reply ${team} <id> --body "<answer>"\` answers and acknowledges a message; \`fed ack ${team} <id>\` acknowledges one that needs no answer.`
  return [`# Mail\n\n${how}`, ...mail.map((signal) => letter(team, signal, originOf(signal.id)))]
}
