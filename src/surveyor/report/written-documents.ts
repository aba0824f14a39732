import { posix } from 'node:path'
import { firstSentence } from '../languages/doc-comment.ts'
import { checkDocuments, checkedDocuments } from '../documents/check-documents.ts'
import type { Stale } from '../documents/check-documents.ts'
import { rankOf } from '../documents/classify-document.ts'
import { firstProse } from '../read-document.ts'
import type { Survey } from '../survey.ts'
import type { SurveyedFile } from '../surveyed-file.ts'
import { code, list, paragraphs, prose } from './write-markdown.ts'
import type { Section } from './write-markdown.ts'
import { count, enumeration, figure, paths } from './wording.ts'

const MOST_DOCUMENTS = 10
const MOST_OF_A_KIND = 4
const MOST_STALE = 40
const STALE_TITLE = 'What the documents name that is not there'
const STALE_ANCHOR = '#what-the-documents-name-that-is-not-there'

const README = /^(?:\.github\/|docs\/)?readme\.\w+$/i

/** The documents that explain the project: those on its architecture and on work on it, then the README. */
export function explainingDocuments(survey: Survey): SurveyedFile[] {
  const ranked = survey.files
    .flatMap((file) => {
      const rank = file.facts.title === undefined ? undefined : rankOf(file.path)
      return rank === undefined ? [] : [{ file, rank }]
    })
    .toSorted((a, b) => a.rank - b.rank || (a.file.path < b.file.path ? -1 : 1))
    // A folder full of one kind leaves room for the others.
    .filter(
      ({ rank }, at, all) => at - all.findIndex((one) => kindOf(one) === kindOf({ rank })) < MOST_OF_A_KIND,
    )
    .slice(0, MOST_DOCUMENTS)
    .map(({ file }) => file)
  const readme = survey.files.find(({ path, facts }) => README.test(path) && facts.headings !== undefined)
  return readme === undefined ? ranked : [...ranked, readme]
}

const kindOf = ({ rank }: { rank: number }): number => Math.floor(rank)

/** Which documents explain the project and what each is about, in its own words. */
export function writtenSection(survey: Survey): Section {
  const items = explainingDocuments(survey).map((file) => aboutOf(survey, file))
  const stale = checkDocuments(survey)
  const checked = checkedDocuments(survey).length
  const verdict =
    stale.length === 0
      ? `Of what ${count(checked, 'document')} ${checked === 1 ? 'names' : 'name'} (paths, links, commands, members), nothing was found to be missing.`
      : `[${count(stale.length, 'thing')} that ${count(new Set(stale.map(({ document }) => document)).size, 'document')} ${new Set(stale.map(({ document }) => document)).size === 1 ? 'names' : 'name'}](${STALE_ANCHOR}) ${stale.length === 1 ? 'is' : 'are'} not there.`
  return {
    title: 'What people wrote',
    body: items.length === 0 ? '' : paragraphs(list(items), checked > 0 && verdict),
  }
}

function aboutOf(survey: Survey, { path, facts }: SurveyedFile): string {
  // Who wants to contribute reads the whole; its first sentence greets, or tells of one detail.
  const opening = /contributing/i.test(path) ? undefined : firstProse(path, survey.source(path))
  const sentence = opening === undefined ? '' : openingSentence(opening)
  // What ends in a colon is said below it; what holds markup of a generator is not said in words.
  const said = sentence === '' || /:$|\{[\w:-]+\}`/.test(sentence) ? '' : `: ${prose(sentence)}`
  const headings = (facts.headings ?? []).slice(1, 9).map((heading) => `“${prose(heading)}”`)
  const rest = Math.max(0, (facts.headings?.length ?? 0) - 1 - headings.length)
  // What a README is about stands in the next section; here it counts what it has.
  if (README.test(path))
    return `${code(path)}${headings.length === 0 ? said : `, with the sections ${rest > 0 ? `${headings.join(', ')} and ${figure(rest)} more` : enumeration(headings)}`}`
  return `${code(path)}, “${prose(facts.title ?? '')}” (${count(facts.lines, 'line')})${said}`
}

/** The first sentence that says something: “No!” and “1. Overview” do not. */
function openingSentence(text: string): string {
  const first = firstSentence(text)
  const rest = text.slice(first.length).trim()
  return first.split(/\s+/).length < 4 && rest !== '' ? firstSentence(rest) : first
}

/** Each thing that a document names and that is gone, with its line and where it went. */
export function staleSection(survey: Survey): Section {
  const order = explainingDocuments(survey).map(({ path }) => path)
  const place = (path: string): number => (order.includes(path) ? order.indexOf(path) : order.length)
  const stale = checkDocuments(survey).toSorted(
    (a, b) =>
      place(a.document) - place(b.document) ||
      (a.document < b.document ? -1 : Number(a.document > b.document)) ||
      a.line - b.line,
  )
  const shown = stale.slice(0, MOST_STALE)
  const { history } = survey
  const isPart = history !== undefined && (history.read < history.total || history.shallow)
  return {
    title: STALE_TITLE,
    body:
      stale.length === 0
        ? ''
        : paragraphs(
            `Held against the files, the code and the build scripts${isPart ? ` and the last ${count(history.read, 'commit')}` : history === undefined ? '' : ' and the history'}. A path is listed when a link leads to it or a commit knew it; changelogs, plans and examples are not checked.`,
            list(shown.map(lineOf)),
            stale.length > shown.length && `And ${figure(stale.length - shown.length)} more.`,
          ),
  }
}

const lineOf = (stale: Stale): string => `${code(`${stale.document}:${stale.line}`)} ${claimOf(stale)}`

function claimOf(stale: Stale): string {
  const { kind, named, now = [], definedIn = '' } = stale
  switch (kind) {
    case 'path':
      return `names ${code(named)}, ${goneOf(stale)}`
    case 'link':
      return `links to ${code(named)}, ${goneOf(stale)}`
    case 'anchor':
      return `links to ${code(named)}: no such heading${now.length === 0 ? '' : `; the nearest is “${prose(now[0] ?? '')}”`}`
    case 'symbol':
      return definedIn === ''
        ? `names ${code(named)}: it is in ${paths(now, 1)}`
        : `names ${code(named)}: ${code(definedIn)} has no such member, nor has any other code`
    case 'command':
      return `says ${code(named)}: ${code(definedIn)} has none of that name${now.length === 0 ? '' : `; it has ${paths(now, 3)}`}`
  }
}

function goneOf({ document, kind, named, past, now = [], how }: Stale): string {
  const last = past === undefined ? '' : ` in ${code(past.commit)} of ${past.date}`
  if (how === 'renamed') return `renamed to ${paths(now, 1)}${last}`
  const found =
    now.length === 0 ? '' : `; ${now.length === 1 ? 'a file' : 'files'} of that name: ${paths(now, 3)}`
  if (kind === 'link' && past === undefined && now.includes(named))
    return `which leads to ${code(posix.join(posix.dirname(document), named))}, where nothing is`
  return `${past === undefined ? 'which is not there' : `gone, last changed${last}`}${found}`
}
