import type { Command } from 'commander'
import { unless } from '../../../errors/unless.ts'
import { FedError } from '../../../errors/fed-error.ts'
import { workspaceLayout } from '../../../protocol/folder-layout.ts'
import type { Team } from '../../../federation/team.ts'
import type { TeamStatus } from '../../../federation/team-status.ts'
import { declare, type CommonOptions } from '../declare-command.ts'
import { print } from '../output.ts'
import { META } from '../../../protocol/team-id.ts'
import { openScope, openTeam } from '../scope.ts'

interface Control {
  readonly name: string
  readonly description: string
  readonly carryOut: (team: Team) => Promise<void> | void
}

const controls: readonly Control[] = [
  { name: 'pause', description: 'Pause a team; its agent is stopped', carryOut: (team) => team.pause() },
  {
    name: 'resume',
    description: "Return a paused team to the state that it left; 'fed launch' starts its agent",
    carryOut: (team) => team.resume(),
  },
  {
    name: 'archive',
    description: 'Put a team away; a working one is paused first',
    carryOut: (team) => team.archive(),
  },
  { name: 'restore', description: 'Take an archived team back', carryOut: (team) => team.restore() },
]

/** What is to be typed next: a team comes back as it was put away, and its agent is only started by a launch. */
async function hintOf(control: string, team: Team, { state, mission, waits }: TeamStatus): Promise<string> {
  const { id } = team
  if (control === 'restore') return state === 'paused' ? `; 'fed resume ${id}' continues it` : ''
  if (control !== 'resume') return ''
  if (mission === null) return `; it has no mission: 'fed run "<mission>" --team ${id}' gives it one`
  const [{ isDriven }, { agentOf }, { launchAgain }, { lastSession }] = await Promise.all([
    import('../../../agents/sessions/launchable.ts'),
    import('../../../agents/sessions/agent-of-team.ts'),
    import('../../../agents/sessions/launch-again.ts'),
    import('../../../agents/sessions/session-record.ts'),
  ])
  if (await isDriven(team)) return '; the launch that is under way goes on with it'
  const task = waits
    ? 'no agent was started, and none is needed until something comes'
    : 'no agent was started'
  // the team moved already: a record that cannot be read is no reason to say that it did not
  const before = unless(FedError, () => lastSession(workspaceLayout(team.actor.workspace).sessions))
  return `; ${task}: '${launchAgain(id, agentOf(team), before?.agent)}' starts one`
}

/** A team of another site is told by a signal; whether it did, its site's rows say. */
async function isToldElsewhere(options: CommonOptions, control: string, named: string): Promise<boolean> {
  const { federation } = await openScope(options)
  const { siteOf } = await import('../../../federation/site-of-team.ts')
  const team = federation.addressOf(named)
  const site = siteOf(federation.root, team)
  if (site === undefined || (control !== 'pause' && control !== 'resume')) return false
  const signal = await federation.send({ from: META, to: team, type: 'directive', subject: control })
  print(options, { ...signal, site }, () => `${team} at site ${site} is told to ${control}`)
  return true
}

/** `pause`, `resume`, `archive`, `restore`: each moves lifecycle and registry together. */
export function registerControls(program: Command): void {
  for (const { name, description, carryOut } of controls) {
    declare(program, `${name} <team>`, description, `fed ${name} docs`).action(
      async (id: string, options: CommonOptions) => {
        if (await isToldElsewhere(options, name, id)) return
        const { team } = await openTeam(options, id)
        await carryOut(team)
        const now = await team.status()
        const hint = options.json ? '' : await hintOf(name, team, now)
        print(options, now, ({ state, status }) => `${team.id} is ${state}, ${status} in the registry${hint}`)
      },
    )
  }
}
