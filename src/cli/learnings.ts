import { type Command, Option } from 'commander'
import type { BadLearning } from '../learnings/learning-log.ts'
import { confidenceLevels, learningCategories } from './choices.ts'
import { declare, type CommonOptions } from './command.ts'
import { note, print, table } from './output.ts'
import { openScope } from './scope.ts'

interface LearningsOptions extends CommonOptions {
  category?: string
  confidence?: string
  tag?: string
}

export function registerLearnings(program: Command): void {
  declare(
    program,
    'learnings [team]',
    'List findings of a team, or of all teams',
    'fed learnings docs --category gotcha',
  )
    .addOption(new Option('--category <category>', 'only this kind').choices(learningCategories))
    .addOption(new Option('--confidence <level>', 'only this sure').choices(confidenceLevels))
    .option('--tag <tag>', 'only with this label')
    .action(async (id: string | undefined, { category, confidence, tag, ...options }: LearningsOptions) => {
      const { federation } = await openScope(options)
      const { readLearnings } = await import('../learnings/learning-log.ts')
      const entries = id === undefined ? federation.registry.read().teams : [federation.registry.entry(id)]
      const logs = entries.map(({ location }) => readLearnings(location))
      for (const { file, bad } of logs) noteBad(options, file, bad)
      const found = logs
        .flatMap(({ findings }) => findings)
        .filter((one) => category === undefined || one.category === category)
        .filter((one) => confidence === undefined || one.confidence === confidence)
        .filter((one) => tag === undefined || one.tags.includes(tag))
      print(options, found, () =>
        found.length === 0
          ? 'no findings'
          : table(
              found.map((one) => [
                one.timestamp,
                one.domain,
                one.category,
                one.confidence,
                one.tags.join(','),
                one.content,
              ]),
            ),
      )
    })
}

/** What is passed over is told, or nobody would ever mend it. */
function noteBad(options: CommonOptions, file: string, bad: readonly BadLearning[]): void {
  const [first] = bad
  if (first === undefined) return
  const lines = bad.length === 1 ? '1 line is' : `${bad.length} lines are`
  note(options, `${file}: ${lines} no finding and passed over; line ${first.line}: ${first.reason}`)
}
