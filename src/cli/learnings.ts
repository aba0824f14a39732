import { type Command, Option } from 'commander'
import { confidenceLevels, learningCategories } from './choices.ts'
import { declare, type CommonOptions } from './command.ts'
import { print, table } from './output.ts'
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
      const { learnings } = await import('../learnings/learning-log.ts')
      const entries = id === undefined ? federation.registry.read().teams : [federation.registry.entry(id)]
      const found = entries
        .flatMap(({ location }) => learnings(location))
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
