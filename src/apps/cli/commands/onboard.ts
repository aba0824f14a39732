import { type Command, Option } from 'commander'
import { INTO, placementTypes, type PlacementType, asMissionHelp } from '../choices.ts'
import { declare, type CommonOptions } from '../declare-command.ts'
import { note, print } from '../output.ts'
import { openScope } from '../scope.ts'

interface OnboardOptions extends CommonOptions {
  archetype?: string
  placement?: PlacementType
  mission?: string
  into?: string
  agent?: string
  asMission?: boolean
}

export function registerOnboard(program: Command): void {
  declare(
    program,
    'onboard <name>',
    'Create a team; its id is made of its name',
    'fed onboard docs --mission "Explain the storage"',
  )
    .option(
      '--archetype <id>',
      'deliverable, coding, consultant, or one of importHook (default: deliverable)',
    )
    .addOption(
      new Option('--placement <type>', "where the workspace is; the archetype's usual place").choices(
        placementTypes,
      ),
    )
    .option('--mission <text>', 'its first directive')
    .option('--into <branch>', INTO)
    .option(
      '--agent <name|command>',
      'the agent that works for it (default: agentCommand of the configuration)',
    )
    .option('--as-mission', asMissionHelp)
    .action(async (name: string, options: OnboardOptions) => {
      const [{ federation }, { assertMission, beginFirstMission }] = await Promise.all([
        openScope(options),
        import('../../../federation/mission.ts'),
      ])
      const mission =
        options.mission === undefined ? undefined : assertMission(options.mission, options.asMission)
      const { agentTrouble, assertSuited } = await import('../../../agents/sessions/agent-of-team.ts')
      assertSuited(options, federation.config)
      const team = await federation.onboard({
        domain: name,
        archetype: options.archetype,
        placement: options.placement,
        into: options.into,
        agent: options.agent,
      })
      if (mission !== undefined) await beginFirstMission(team, mission)
      const entry = federation.registry.entry(team.id)
      const called = entry.domain === team.id ? team.id : `${entry.domain}, as a team ${team.id},`
      print(options, entry, ({ location }) => `${called} is onboarded in ${location}`)
      const trouble = agentTrouble(entry, federation.config)
      if (trouble !== undefined) note(options, trouble)
      if (entry.placementType !== 'worktree' || options.quiet) return
      const { worktreeNotes } = await import('../../../federation/onboarding/worktree-notes.ts')
      for (const line of worktreeNotes(federation.root, entry.location)) note(options, line)
    })
}
