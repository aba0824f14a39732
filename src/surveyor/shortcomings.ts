import type { Focus } from './focus.ts'
import type { Mission } from './read-mission.ts'
import { baseOf, tokensOf } from './search/word-forms.ts'

/** Whether the best file holds less than half of what the mission asks about: a word in passing answers nothing. */
export function isWeak({ terms, files }: Focus): boolean {
  const top = files[0]
  if (top === undefined || top.named || terms.length === 0) return false
  const names = new Set(
    tokensOf(`${top.file.path} ${(top.file.facts.code?.symbols ?? []).map(({ name }) => name).join(' ')}`),
  )
  // an identifier is never met by chance
  const inNames = top.words.some((word) => tokensOf(word).length > 1 || names.has(baseOf(word)))
  return top.words.length * 2 < terms.length || (!inNames && top.words.length < 2 && top.hits.length < 3)
}

/** What whoever started the agent should know before reading: the mission led nowhere, or asks for too much. */
export function shortcomingsOf(focus: Focus | undefined, mission: Mission): string[] {
  const unknown = focus?.terms.filter(({ files }) => files === 0).map(({ word }) => `“${word}”`) ?? []
  const nothing = focus !== undefined && focus.files.length + focus.documents.length === 0
  return [
    ...(nothing
      ? [
          `nothing in the repository matches ${unknown.length > 0 ? unknown.join(', ') : 'the mission'}; this is the general map`,
        ]
      : []),
    ...(!nothing && focus !== undefined && isWeak(focus)
      ? ['little in the repository matches the mission; the report shows what is nearest']
      : []),
    ...mission.cannot.map(
      ({ asked, reason }) =>
        `not answered: “${asked}”, since ${reason}${focus === undefined ? '; this is the general map' : ''}`,
    ),
  ]
}
