import type { Command } from 'commander'
import { UsageError } from '../../../errors/fed-error.ts'
import { planFiles } from '../../../protocol/goal-names.ts'
import { declare, helpOfDefault, type CommonOptions } from '../declare-command.ts'
import { print } from '../output.ts'
import { planProblems, planText, readPlanFile } from '../plan-text.ts'

const [usualFile] = planFiles

export function registerPlan(program: Command): void {
  const plan = program
    .command('plan')
    .description('Check and show a plan: a goal as tasks of many teams')
    .addHelpText('after', helpOfDefault('check', `fed plan check ${usualFile}`))
  declare(
    plan,
    'check [file]',
    `Check a plan, with line numbers; ${usualFile} without a file`,
    `fed plan check ${usualFile}`,
    {
      isDefault: true,
    },
  ).action(async (file: string | undefined, options: CommonOptions) => {
    const { problems } = await readPlanFile(file, options)
    print(options, { problems }, () =>
      problems.length === 0 ? 'nothing is wrong with it' : planProblems(file, problems),
    )
    if (problems.length > 0) process.exitCode = 1
  })
  declare(
    plan,
    'show [file]',
    "Show a plan's tasks in the order in which they may begin",
    `fed plan show ${usualFile} --json`,
  ).action(async (file: string | undefined, options: CommonOptions) => {
    const { plan: found, problems } = await readPlanFile(file, options)
    if (found === undefined || problems.length > 0) throw new UsageError(planProblems(file, problems))
    print(options, found, () => planText(found))
  })
}
