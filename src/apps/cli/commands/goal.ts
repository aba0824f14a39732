import type { Command } from 'commander'
import { UsageError } from '../../../errors/fed-error.ts'
import type { Team } from '../../../federation/team.ts'
import { declare, helpOfDefault, type CommonOptions } from '../declare-command.ts'
import { goalLines } from '../goal-text.ts'
import { note, print } from '../output.ts'
import { parseCount } from '../parse-duration.ts'
import { openScope, openToRead, startingFolder } from '../scope.ts'
import { launchChoice, withSessionOptions, type SessionOptions } from '../session-options.ts'

interface StartOptions extends SessionOptions {
  plan?: string
  parallel?: number
  yes?: boolean
}

interface NamedOptions extends CommonOptions {
  goal?: string
}

const whichGoal = 'the coordinator of the goal, where there are several'

export function registerGoal(program: Command): void {
  const goal = program
    .command('goal')
    .description('Reach a goal by many teams: plan it, see it through, and make one result')
    .addHelpText('after', helpOfDefault('start', 'fed goal "Document this repository"'))
  const start = declare(
    goal,
    'start [words...]',
    'Split a goal into tasks, have teams do them, and gather one result',
    'fed goal "Document this repository"',
    { isDefault: true },
  )
    .option('--plan <file>', "carry out this plan instead of having one made ('-' for the standard input)")
    .option(
      '--parallel <n>',
      'run at most so many agents at once (default: what the machine bears)',
      parseCount,
    )
    .option('-y, --yes', 'begin without asking')
  withSessionOptions(start, 'goal').action(async (words: string[], options: StartOptions) => {
    const { startGoal } = await import('../start-goal.ts')
    await startGoal(words.join(' '), {
      ...options,
      dir: startingFolder(options),
      choice: launchChoice(options),
    })
  })

  declare(
    goal,
    'status [goal]',
    'Show the goals: their tasks, what each waits for, and what needs you',
    'fed goal status --json',
  ).action(async (named: string | undefined, options: CommonOptions) => {
    const { federation } = await openToRead(options)
    const [{ coordinatorsOf }, { goalStatus }, { goalCosts }] = await Promise.all([
      import('../../../federation/goal/find-goal.ts'),
      import('../../../federation/goal/goal-status.ts'),
      import('../../../agents/usage/goal-costs.ts'),
    ])
    const goals = await coordinatorsOf(federation, named)
    const statuses = await Promise.all(goals.map((one) => goalStatus(federation, one)))
    print(options, statuses, () =>
      statuses.length === 0
        ? `no goal is under way; 'fed goal "<words>"' begins one`
        : statuses
            .map((status, at) =>
              goalLines(status, undefined, goalCosts(federation, goals[at] as Team)).join('\n'),
            )
            .join('\n\n'),
    )
  })

  declare(
    goal,
    'stop [goal]',
    'Pause a goal and its teams; resuming goes on with each',
    'fed goal stop',
  ).action(async (named: string | undefined, options: CommonOptions) => {
    const { federation } = await openScope(options)
    const { theGoal } = await import('../../../federation/goal/find-goal.ts')
    const { coordinate } = await import('../../../federation/goal/coordinate.ts')
    const coordinator = await theGoal(federation, named)
    await coordinator.pause()
    await coordinate(federation, coordinator)
    print(
      options,
      { goal: coordinator.id, state: 'paused' },
      () =>
        `${coordinator.id} and its teams are paused; 'fed resume ${coordinator.id}' and the same 'fed goal' go on`,
    )
  })

  declare(
    goal,
    'retry <task> [hint...]',
    'Try a task again that failed or was left out; a hint tells its team what to do differently',
    'fed goal retry survey "The prices are in lib/, not in src/"',
  )
    .option('--goal <team>', whichGoal)
    .action(async (task: string, hint: string[], options: NamedOptions) => {
      const coordinator = await told(options, 'retry-task', [task, ...hint].join(' '))
      print(
        options,
        { goal: coordinator.id, task },
        () => `${task} is tried again; 'fed goal' with the same words goes on`,
      )
    })

  declare(goal, 'settle [goal]', 'Make the result without the tasks that failed', 'fed goal settle').action(
    async (named: string | undefined, options: CommonOptions) => {
      const coordinator = await told({ ...options, goal: named }, 'settle-failures', '')
      const { state } = coordinator.present()
      print(options, { goal: coordinator.id, state }, () => `${coordinator.id} is ${state}`)
    },
  )

  declare(
    goal,
    'clean [goal]',
    'Remove what a goal that ended made: workspaces, worktrees and branches that landed',
    'fed goal clean --dry-run',
  )
    .option('--dry-run', 'only list it')
    .action(async (named: string | undefined, options: CommonOptions & { dryRun?: boolean }) => {
      const { federation } = await openScope(options)
      const [{ theGoal }, { cleanGoal }] = await Promise.all([
        import('../../../federation/goal/find-goal.ts'),
        import('../../../agents/offboarding/clean-goal.ts'),
      ])
      const coordinator = await theGoal(federation, named, true)
      const cleaned = await cleanGoal(federation, coordinator, options.dryRun === true)
      print(options, cleaned, ({ removed, kept }) =>
        [
          ...removed.map(
            ({ team, what }) => `${options.dryRun ? 'would remove' : 'removed'} ${team}: ${what}`,
          ),
          ...kept.map(({ team, why }) => `kept ${team}: ${why}`),
        ].join('\n'),
      )
      if (cleaned.kept.length > 0 && !options.dryRun) process.exitCode = 5
    })
}

/** Sends a word of a person to a goal's coordinator. */
async function told(options: NamedOptions, subject: string, body: string): Promise<Team> {
  const { federation } = await openScope(options)
  const { theGoal, directGoal } = await import('../../../federation/goal/find-goal.ts')
  const coordinator = await theGoal(federation, options.goal)
  await directGoal(coordinator, subject, body)
  return coordinator
}

export function registerAnswer(program: Command): void {
  declare(
    program,
    'answer <task> <word> [more...]',
    "Answer a gate of a goal with yes or no: 'fed goal status' shows what is asked",
    'fed answer publish yes',
  )
    .option('--goal <team>', whichGoal)
    .action(async (task: string, word: string, more: string[], options: NamedOptions) => {
      if (!['yes', 'no'].includes(word)) throw new UsageError(`'${word}' is neither yes nor no`)
      const coordinator = await told(options, 'answer-gate', [task, word, ...more].join(' '))
      print(options, { goal: coordinator.id, task, answer: word }, () => `${task}: ${word}`)
      note(options, `'fed goal' with the same words goes on, or the process that dispatches`)
    })
}
