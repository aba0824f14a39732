import { controlSubjects } from '../../machines/guards.ts'
import { UsageError } from '../errors/fed-error.ts'
import { kebab } from '../protocol/event-name.ts'

/**
 * The control word that a directive's subject almost is: one letter is added, left out or another, or two neighbours
 * changed places (a Damerau-Levenshtein distance of 1). A control word itself, in whatever case, is meant as it is.
 */
export function almostControl(subject: string): string | undefined {
  if (isControlWord(subject)) return undefined
  // what nobody sees in it is a slip as well
  const given = kebab(subject.replace(/\p{Cf}/gu, ''))
  return controlSubjects.find((word) => given === word || isOneOff(given, word))
}

/** Whether a directive of this subject moves a machine instead of being a mission. */
export function isControlWord(subject: string): boolean {
  return controlSubjects.includes(kebab(subject))
}

/** Whether one slip of the fingers makes one word of the other. */
function isOneOff(one: string, other: string): boolean {
  const [a, b] = [[...one], [...other]]
  let from = 0
  while (from < Math.min(a.length, b.length) && a[from] === b[from]) from += 1
  const isSame = (left: number, right: number) => a.slice(left).join('') === b.slice(right).join('')
  if (a.length !== b.length) {
    return a.length > b.length ? isSame(from + 1, from) : isSame(from, from + 1)
  }
  if (from === a.length) return false
  const isSwapped = a[from] === b[from + 1] && a[from + 1] === b[from] && isSame(from + 2, from + 2)
  return isSwapped || isSame(from + 1, from + 1)
}

/** How to say a control word to a team. */
export function commandFor(word: string, team: string): string {
  return word === 'pause' || word === 'resume'
    ? `fed ${word} ${team}`
    : `fed send ${team} --type directive --subject ${word}`
}

/**
 * Makes sure that a directive is not a mistyped control word, which would become a mission or an instruction.
 * @throws {UsageError} with the word that was meant.
 */
export function assertNoMistypedControl(subject: string, team = '<team>'): void {
  const word = almostControl(subject)
  if (word === undefined) return
  throw new UsageError(
    `'${subject}' is almost the control word '${word}': did you mean '${commandFor(word, team)}'? --as-mission of 'fed send', 'fed run' and 'fed onboard' (asMission in a tool) sends it as it is`,
  )
}
