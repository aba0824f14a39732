import type { Command } from 'commander'
import { declare, type CommonOptions } from '../declare-command.ts'
import { print } from '../output.ts'
import { openTeamToRead } from '../scope.ts'

interface PromptOptions extends CommonOptions {
  readonly agent?: string
  readonly model?: string
}

export function registerPrompt(program: Command): void {
  declare(
    program,
    'prompt [team]',
    "Print what the team's next agent session would be told; with --json its profile as well",
    'fed prompt docs',
  )
    .option('--agent <name|command>', 'as for launch')
    .option('--model <name>', 'as for launch')
    .action(async (id: string | undefined, options: PromptOptions) => {
      const { team } = await openTeamToRead(options, id)
      const [{ assertWorkable }, { planAgent, plannedFor }, { briefingOf }, { holdFor }, { givenInside }] =
        await Promise.all([
          import('../../../agents/sessions/launchable.ts'),
          import('../../../agents/sessions/launch-plan.ts'),
          import('../../../agents/briefing/briefing.ts'),
          import('../../../engine/confinement/hold.ts'),
          import('../../../agents/sessions/given-inside.ts'),
        ])
      await assertWorkable(team)
      const { config, root } = team.actor.world
      const hold = await holdFor(config.confinement, root)
      const staff = planAgent(plannedFor(team), options)
      const briefing = await briefingOf(team, { ...staff, hold })
      const inside = 'open' in hold ? null : givenInside(staff.agent, root, config.confinement)
      print(options, { ...briefing, open: 'open' in hold ? hold.open : null, inside }, ({ prompt }) => prompt)
    })
}
