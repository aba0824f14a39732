import type { Command } from 'commander'
import { beInspected } from '../../../engine/inspection/is-inspected.ts'
import { INTO, asMissionHelp } from '../choices.ts'
import { declare } from '../declare-command.ts'
import { isOut, note, print } from '../output.ts'
import { anotherAround, startingFolder } from '../scope.ts'
import { launchChoice, withSessionOptions, type SessionOptions } from '../session-options.ts'
import { withTelemetry } from '../with-telemetry.ts'

interface RunOptions extends SessionOptions {
  team?: string
  archetype?: string
  reset?: boolean
  into?: string
  asMission?: boolean
}

/** What is said of a mission before it is worked on. */
const howItBegan = {
  begun: 'has its mission: ',
  continued: 'goes on with its mission',
  ended: 'has ended this mission already, and the run that saw it through could not say so',
} as const

export function registerRun(program: Command): void {
  const command = declare(
    program,
    'run <mission...>',
    'Give a team a mission and see it through: the main job in one command',
    'fed run "Explain how the registry is locked" --team registry-docs',
  )
    .option('--team <id>', "the team; it is created when there is none (default: 'docs' for a deliverable)")
    .option('--archetype <id>', 'what kind of team to create (default: deliverable)')
    .option('--into <branch>', INTO)
    .option('--reset', 'give up another mission that the team has under way; it is put away')
    .option('--as-mission', asMissionHelp)
  withSessionOptions(command).action(async (words: string[], options: RunOptions) => {
    const mission = words.join(' ')
    if (options.inspect) beInspected()
    const [{ runMission }, { progressViews }, { conclude, describeConclusion, hintAgents }] =
      await Promise.all([
        import('../../../agents/sessions/prepare-run.ts'),
        import('../progress.ts'),
        import('../conclusion.ts'),
      ])
    const { interruption } = await import('../interruption.ts')
    const signal = interruption()
    const { team, plan, begun, setUpIn, outer } = await runMission({
      dir: startingFolder(options),
      mission,
      archetype: options.archetype,
      team: options.team,
      launch: launchChoice(options),
      reset: options.reset,
      into: options.into,
      asMission: options.asMission,
    })
    if (setUpIn !== undefined) {
      note(options, `set up a federation in ${setUpIn}: federate.config.json, and .fed/, which git ignores`)
    }
    if (outer !== undefined) note(options, anotherAround(outer))
    note(options, `${team.id} ${howItBegan[begun]}${begun === 'begun' ? mission : ''}`)
    if (begun !== 'ended') hintAgents(options, plan.agent, options.agent)
    await withTelemetry(team.actor.world, options, async () => {
      const [{ launch }, { lookAfterLost }, { endIsTold }] = await Promise.all([
        import('../../../agents/sessions/launch-team.ts'),
        import('../../../agents/sessions/codebase-watch.ts'),
        import('../../../agents/sessions/awaited-end.ts'),
      ])
      const view = progressViews(options, [team.id])(team.id)
      const seeThrough = async () => {
        if (begun !== 'ended')
          return launch(team, () => plan, { signal, onProgress: (progress) => view.show(progress) })
        const lost = await lookAfterLost(team)
        if (lost !== undefined) view.show({ kind: 'codebase', change: lost.change })
        return team.status()
      }
      try {
        const conclusion = conclude(team, await seeThrough().finally(() => view.end()), options.agent)
        print(options, conclusion, describeConclusion)
        process.exitCode = conclusion.exitCode
        await isOut()
      } finally {
        endIsTold(team)
      }
    })
  })
}
