import { focusOn } from './focus.ts'
import { readMission } from './read-mission.ts'
import { wayOf } from './report/answer-way.ts'
import { excerptOf } from './report/excerpt.ts'
import { code, list, paragraphs } from './report/write-markdown.ts'
import { isWeak } from './shortcomings.ts'
import { absentFrom, inWords } from './search/absent.ts'
import type { Survey } from './survey.ts'

/** So many lines of one body, and so many bodies, does an answer hold. */
const mostLines = 24
const mostBodies = 3

/**
 * Answers a question by what its words lead to: how sure that is, the places, the way of the calls, and the bodies. What
 * is not there is said.
 */
export function answerQuestion(survey: Survey, subject: string, body: string): string {
  const mission = readMission(subject, body.trim() === '' ? '' : `${subject}\n\n${body}`)
  if (mission.refusal !== undefined)
    return `This is not answered: ${mission.refusal}, and nobody here changes code.`
  if (mission.isForeign)
    return 'This is not answered: only English is understood here. Ask the same in English.'
  const absent = absentFrom(survey, mission.subject, mission.topics)
  if (absent.length > 0)
    return paragraphs('This is not answered: nothing here is about it.', list(absent.map(inWords)))
  const focus = focusOn(survey, mission)
  const { symbols, calls } = focus === undefined ? { symbols: [], calls: [] } : wayOf(survey, focus)
  const best = focus === undefined ? [] : symbols.toSorted((a, b) => b.score - a.score).slice(0, mostBodies)
  const [first] = best
  const missing = (focus?.missingPaths ?? []).map(
    ({ path, near }) =>
      `There is no ${code(path)}${near.length > 0 ? `; the nearest names are ${near.map(code).join(', ')}` : ''}.`,
  )
  const others = [...(focus?.documents ?? []), ...(focus?.tests ?? [])].slice(0, 4)
  const documents = others.map(({ file, hits }) => code(`${file.path}:${hits[0] ?? 1}`))
  if (focus === undefined || first === undefined)
    return paragraphs(
      ...missing,
      documents.length > 0
        ? `No code answers this, but documents or tests speak of it: ${documents.join(', ')}.`
        : 'This is not answered: its words lead to no code. Ask with a name that stands in the code.',
    )
  const unknown = focus.terms.filter(({ files }) => files === 0).map(({ word }) => `“${word}”`)
  return paragraphs(
    ...missing,
    isWeak(focus) || unknown.length * 2 > focus.terms.length
      ? `Not sure: little here matches the question. The nearest is ${code(first.symbol.name)} in ${code(`${first.path}:${first.symbol.line}`)}.`
      : `${unknown.length === 0 ? 'Likely' : 'Perhaps'}: ${best.map(({ path, symbol }) => `${code(symbol.name)} in ${code(`${path}:${symbol.line}`)}`).join(', ')}. Found by words and calls; nobody understood it.`,
    unknown.length > 0 && `Nowhere here: ${unknown.join(', ')}.`,
    list(
      calls
        .slice(0, 8)
        .map(
          ({ from, to, line }) =>
            `${code(from.symbol.name)} calls ${code(to.symbol.name)} in ${code(`${from.path}:${line}`)}`,
        ),
    ),
    ...best.map(({ path, symbol }) => excerptOf(survey, path, symbol, mostLines)),
    documents.length > 0 && `Documents and tests that speak of it: ${documents.join(', ')}.`,
  )
}
