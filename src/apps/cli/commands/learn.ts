import { type Command, Option } from 'commander'
import type { Category, Confidence } from '../../../protocol/learning.ts'
import { confidenceLevels, learningCategories } from '../choices.ts'
import { declare, type CommonOptions } from '../declare-command.ts'
import { print } from '../output.ts'
import { perform } from '../perform.ts'

const learn = async () => (await import('../../../agents/requests/team-requests.ts')).learn

interface LearnOptions extends CommonOptions {
  team?: string
  category: Category
  confidence: Confidence
  tags?: string
}

export function registerLearn(program: Command): void {
  declare(
    program,
    'learn <finding...>',
    "Add a finding to the team's learning log",
    'fed learn --category pattern --tags storage "Every write links"',
  )
    .option('--team <id>', 'the team (default: the acting one)')
    .addOption(
      new Option('--category <category>', 'kind of finding').choices(learningCategories).default('discovery'),
    )
    .addOption(new Option('--confidence <level>', 'how sure').choices(confidenceLevels).default('medium'))
    .option('--tags <a,b>', 'labels, separated by commas')
    .action(async (words: string[], options: LearnOptions) => {
      const { category, confidence } = options
      const tags = (options.tags ?? '')
        .split(',')
        .map((tag) => tag.trim())
        .filter((tag) => tag !== '')
      const finding = { category, content: words.join(' '), tags, confidence }
      const who = { as: options.team, isForTeams: true }
      print(options, await perform(options, 'learn', learn, finding, who), () => 'logged')
    })
}
