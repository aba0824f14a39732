import type { Analysis } from '../analysis.ts'
import type { FileHistory, History } from '../commit-history.ts'
import { MOST_COUNTED } from '../survey.ts'
import type { Survey } from '../survey.ts'
import { code, paragraphs, prose, table } from './write-markdown.ts'
import type { Section } from './write-markdown.ts'
import { count, figure } from './wording.ts'

/** How much of the past was read, in one sentence. */
function historyScope(history: History): string {
  const scope =
    history.read < history.total
      ? `the last ${figure(history.read)} of ${count(history.total, 'commit')}`
      : history.read === 1
        ? 'the only commit'
        : `all ${count(history.read, 'commit')}`
  return `${scope}, from ${history.first} to ${history.last}, by ${count(history.authors, 'author')}${history.shallow ? '; the clone is shallow, so older commits are missing' : ''}`
}

const linesOf = ({ lines }: FileHistory): string =>
  lines === undefined ? 'not known' : `+${figure(lines.added)} −${figure(lines.deleted)}`

/** Where change concentrates: churn, size and how many people work there. */
export function changeSection(survey: Survey, analysis: Analysis, room = 1): Section {
  const title = 'Where change concentrates'
  const { history } = survey
  if (history === undefined)
    return { title, body: 'The repository has no commits yet, so there is no history to tell.' }
  if (history.read === 0)
    return {
      title,
      body: 'The history could not be read: the clone does not hold the commits that git needs for it.',
    }
  const spots = analysis.hotSpots.slice(0, Math.min(10 * room, MOST_COUNTED))
  const isCounted = spots.some(({ history: past }) => past.lines !== undefined)
  const rows = spots.map(({ file, history: past }) => [
    code(file.path),
    figure(past.commits),
    ...(isCounted ? [linesOf(past)] : []),
    figure(file.facts.lines),
    figure(past.authors),
    figure(past.recentAuthors),
    past.last,
  ])
  const top = spots[0]
  const subjects = top?.history.subjects.slice(0, 3).map((subject) => `“${prose(subject)}”`) ?? []
  return {
    title,
    body: paragraphs(
      `Read from ${historyScope(history)}. Renames are followed; commits that touch more than 150 files are taken for mass edits and not counted.${isCounted || spots.length === 0 ? '' : ' How many lines changed is not shown: the clone lacks the contents of old files.'}`,
      rows.length === 0
        ? 'No source file has been changed more than once in these commits.'
        : table(
            [
              'Hot spot (commits × lines)',
              'Commits',
              ...(isCounted ? ['Changed lines'] : []),
              'Lines now',
              'Authors',
              'Authors in the last year',
              'Last change',
            ],
            rows,
          ),
      top !== undefined && `The latest changes to ${code(top.file.path)}: ${subjects.join(', ')}.`,
    ),
  }
}
