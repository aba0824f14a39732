import { type Command, InvalidArgumentError, Option } from 'commander'
import { UsageError } from '../../../errors/fed-error.ts'
import type { Category as OwnCategory, Confidence, Learning } from '../../../protocol/learning.ts'
import type { FindingFilter, SharedFinding } from '../../../records/learnings/known-findings.ts'
import { confidenceLevels, learningCategories, OTHER } from '../choices.ts'
import { declare, type CommonOptions } from '../declare-command.ts'
import { parseMoment } from '../parse-moment.ts'
import { note, print, table } from '../output.ts'
import { openToRead } from '../scope.ts'

type Category = OwnCategory | typeof OTHER

/** What `--category` takes. */
const categories: readonly Category[] = [...learningCategories, OTHER]

interface LearningsOptions extends CommonOptions {
  category?: Category[]
  confidence?: Confidence | typeof OTHER
  tag?: string[]
  since?: number
  until?: number
  text?: string
  alike?: boolean
}

/** A finding with the other teams that found the same. */
type Listed = Learning & { readonly alsoFoundBy: readonly string[] }

export function registerLearnings(program: Command): void {
  declare(
    program,
    'learnings [teams...]',
    'List findings of all teams, or of these',
    'fed learnings docs --category gotcha --tag storage --since 7d',
  )
    .addOption(
      new Option(
        '--category <kinds>',
        `only of these kinds, separated by commas: ${categories.join(', ')}`,
      ).argParser(parseCategories),
    )
    .addOption(new Option('--confidence <level>', 'at least this sure').choices([...confidenceLevels, OTHER]))
    .option('--tag <labels>', 'only with all of these labels, separated by commas', addTags)
    .option('--since <time>', 'not older: ISO 8601, or an age such as 2h or 7d', parseMoment)
    .option('--until <time>', 'not newer: the same', parseMoment)
    .option('--text <words>', 'only with these words, in whatever case')
    .option('--alike', 'what several teams found alike, each with all that say it')
    .addHelpText(
      'after',
      '\nFindings are alike when of all their words, without the commonest ones, six in ten are in both. What a team' +
        "\nwrote into its log in other words than 'fed learn' does counts as well, is kept as it is, and stands under other.",
    )
    .action(async (named: string[], options: LearningsOptions) => {
      const { category, confidence, tag, since, until, text, alike } = options
      if (since !== undefined && until !== undefined && since > until)
        throw new UsageError('--since is after --until: nothing can be between them')
      const { federation } = await openToRead(options)
      const teams = named.map((one) => federation.addressOf(one))
      const [
        { describeBad, readLearnings },
        { foundAlike, inOrder, matches },
        words,
        { CorruptDocumentError },
      ] = await Promise.all([
        import('../../../records/learnings/learning-log.ts'),
        import('../../../records/learnings/known-findings.ts'),
        import('../../../protocol/learning.ts'),
        import('../../../errors/document-errors.ts'),
      ])
      for (const team of teams) federation.registry.entry(team)
      const isAsked = (team: string) => teams.length === 0 || teams.includes(team)
      const logs = federation.registry.read().teams.map(({ domainId, location }) => {
        try {
          const { findings, ...log } = readLearnings(location)
          // whose a finding is says the log that holds it
          return { team: domainId, ...log, findings: findings.map((one) => ({ ...one, domain: domainId })) }
        } catch (error) {
          // the others are only compared with
          if (isAsked(domainId) || !(error instanceof CorruptDocumentError)) throw error
          return { team: domainId, file: '', findings: [], bad: [] }
        }
      })
      for (const { team, file, bad } of logs) if (isAsked(team)) noteBad(options, file, describeBad(bad))
      const all = inOrder(logs.flatMap(({ findings }) => findings))
      const filter = { categories: category, confidence, tags: tag, since, until, text }
      const asked = new Set(logs.flatMap(({ team, findings }) => (isAsked(team) ? findings : [])))
      const found = new Set(all.filter((one) => asked.has(one) && matches(one, filter)))
      const shared = foundAlike(all).filter(({ findings }) => findings.some((one) => found.has(one)))
      if (alike) return print(options, shared, () => describeShared(shared, words))
      const others = new Map(
        shared.flatMap(({ teams: finders, findings }) =>
          findings.map((one) => [one, finders.filter((team) => team !== one.domain)] as const),
        ),
      )
      const listed = [...found].map((one): Listed => ({ ...one, alsoFoundBy: others.get(one) ?? [] }))
      print(options, listed, () =>
        listed.length === 0 ? 'no findings' : table(listed.map((one) => cellsOf(one, words))),
      )
      if (options.json) return
      noteOthers(options, listed, words)
      const isPassedOver = (one: Learning) =>
        !found.has(one) && matches(one, inOtherWords(one, filter, words))
      notePassedOver(options, [...asked].filter(isPassedOver).length)
    })
}

function wordsIn(list: string): string[] {
  return list
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
}

function parseCategories(list: string, before: readonly Category[] = []): Category[] {
  const given = wordsIn(list).map((word) => {
    const category = categories.find((one) => one === word)
    if (category === undefined)
      throw new InvalidArgumentError(`Allowed choices are ${categories.join(', ')}.`)
    return category
  })
  return [...before, ...given]
}

function addTags(list: string, before: readonly string[] = []): string[] {
  return [...before, ...wordsIn(list)]
}

/** The functions that read a finding's category and confidence: loaded only when findings are read. */
type Words = typeof import('../../../protocol/learning.ts')

function wordsOf(one: Learning, { categoryOf, confidenceOf, shownWord }: Words): [string, string] {
  return [shownWord(categoryOf(one), one.category), shownWord(confidenceOf(one), one.confidence)]
}

/** Notes how many of the listed findings have a category or confidence that is none of fed's words. */
function noteOthers(options: CommonOptions, listed: readonly Learning[], words: Words): void {
  const others = listed.filter((one) => [words.categoryOf(one), words.confidenceOf(one)].includes(OTHER))
  if (others.length === 0) return
  note(
    options,
    `${others.length} of ${listed.length} ${listed.length === 1 ? 'finding' : 'findings'} in other words than fed's: '--category ${OTHER}' or '--confidence ${OTHER}' lists them`,
  )
}

/** The filter without its limits on category or confidence where this finding's word is none of fed's. */
function inOtherWords(
  one: Learning,
  filter: FindingFilter,
  { categoryOf, confidenceOf }: Words,
): FindingFilter {
  return {
    ...filter,
    ...(categoryOf(one) === OTHER ? { categories: [] } : {}),
    ...(confidenceOf(one) === OTHER ? { confidence: undefined } : {}),
  }
}

/** Notes how many findings were left out because their words cannot be compared with fed's. */
function notePassedOver(options: CommonOptions, count: number): void {
  if (count === 0) return
  note(
    options,
    `${count} ${count === 1 ? 'finding' : 'findings'} in other words passed over: '--category ${OTHER}' or '--confidence ${OTHER}' lists them`,
  )
}

function cellsOf(one: Listed, words: Words): string[] {
  const { timestamp, domain, tags, content, alsoFoundBy } = one
  const [category, confidence] = wordsOf(one, words)
  const mark = alsoFoundBy.length === 0 ? '' : `≈ ${alsoFoundBy.join(',')}`
  return [timestamp, domain, category, confidence, tags.join(','), mark, content]
}

function describeShared(shared: readonly SharedFinding[], words: Words): string {
  if (shared.length === 0) return 'no two teams found anything alike'
  return shared
    .map(({ teams, findings, likeness }) => {
      const share =
        likeness === 1 ? 'in the same words' : `${Math.round(likeness * 100)} % of their words or more`
      const rows = findings.map((one) => [one.domain, ...wordsOf(one, words), one.content])
      return `${teams.join(', ')} (${share})\n${table(rows).replace(/^/gm, '  ')}`
    })
    .join('\n\n')
}

/** Notes what is wrong with a log's lines that were left out, so that somebody mends them. */
function noteBad(options: CommonOptions, file: string, words: string | undefined): void {
  if (words !== undefined) note(options, `${file}: ${words}`)
}
