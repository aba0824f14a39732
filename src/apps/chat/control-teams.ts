import { execFile } from 'node:child_process'
import { program } from '../../platform/process/package.ts'
import type { Team } from '../../federation/team.ts'
import type { ControlKind } from './language/chat-command.ts'
import type { Claim } from './chat-ledger.ts'
import { signalId } from './signal-id.ts'
import { brief } from './team-lines.ts'
import { affectedBy, eachTeam, type Meant, type Standing } from './whom.ts'

/** Longest a launch may take to say that it began, in milliseconds. */
const launchMs = 60_000

/** Moves teams as a person ordered it, and says what came of it for each. */
export async function control(
  standing: Standing,
  claim: Claim,
  kind: ControlKind,
  { teams, isEverybody }: Meant,
): Promise<string> {
  const every = standing.federation.registry.read().teams.length
  if (kind === 'launch' && isEverybody && teams.length === every) return launch(standing, ['--all'])
  const ids = isEverybody ? await affectedBy(standing, kind, teams) : teams
  if (ids.length === 0) return `There is no team to ${kind}.`
  return eachTeam(standing, ids, (team) => controlOne(standing, claim, team, kind))
}

async function controlOne(standing: Standing, claim: Claim, team: Team, kind: ControlKind): Promise<string> {
  const { id } = team
  const isArchived = () => standing.federation.registry.entry(id).status === 'archived'
  switch (kind) {
    case 'launch':
      return launch(standing, ['--team', id])
    case 'archive':
      // again after a kill it is archived already, which is what was asked for
      if (!isArchived()) await team.archive()
      return `${id} is archived; restore takes it back`
    case 'restore':
      if (isArchived()) team.restore()
      return `${id} is back: ${team.present().state}`
    default:
      if (isArchived()) return `${id} is archived: restore it first`
      return pauseOrResume(standing, claim, team, kind)
  }
}

async function pauseOrResume(
  standing: Standing,
  claim: Claim,
  team: Team,
  kind: 'pause' | 'resume',
): Promise<string> {
  const before = await team.stepped()
  if (before.finished) return `${team.id} is ${before.state}, which is final: there is nothing to ${kind}`
  if (kind === 'pause' && before.paused) return `${team.id} is paused`
  if (kind === 'resume' && !before.paused) return `${team.id} is ${before.state}, not paused`
  const reason = kind === 'pause' ? `${brief(claim.sender, 100)} asked for it in the chat` : ''
  const id = signalId(standing, claim, team.id, kind)
  const { entry } = await team.direct(kind, reason, id, claim.claimed)
  if (entry?.outcome === 'refused')
    return `${team.id}: ${brief(entry.refusal?.message ?? `it refused to ${kind}`)}`
  const { paused, state } = team.present()
  if (paused) return `${team.id} is paused; resume takes it back to where it was`
  return `${team.id} goes on: ${state}${team.present().finished ? '' : '; launch starts its agent'}`
}

/** Runs the launch in the background, as a person would; its refusal is the answer. */
async function launch({ federation }: Standing, selection: readonly string[]): Promise<string> {
  const args = [program('fed'), 'launch', ...selection, '--detach', '--dir', federation.root]
  const { code, stdout, stderr } = await ended(args)
  const who = selection.at(-1) as string
  const team = who === '--all' ? 'every team with work' : who
  if (code === 0) return /launching/.test(stdout) ? `${team}: launched` : brief(stdout)
  const reason = brief(stderr.replace(/^fed: /, '')).replaceAll(`${federation.root}/`, '')
  return reason.startsWith(who) ? reason : `${team}: ${reason}`
}

function ended(args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { timeout: launchMs, encoding: 'utf8' }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1
      resolve({ code, stdout, stderr: stderr.trim() || (error?.message ?? '') })
    })
  })
}
