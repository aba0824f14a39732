import type { Command } from 'commander'
import { FedError, UsageError } from '../../../errors/fed-error.ts'
import type { Federation } from '../../../federation/federation.ts'
import type { Holder, SkillStanding } from '../../../records/skills/holders.ts'
import type { Standing } from '../../../records/skills/skill-state.ts'
import type { Action, Synced } from '../../../records/skills/sync.ts'
import { declare, helpOfDefault, type CommonOptions } from '../declare-command.ts'
import { print, table } from '../output.ts'
import { openScope } from '../scope.ts'
import { explainSystemError } from '../system-errors.ts'

interface SyncOptions extends CommonOptions {
  readonly all?: boolean
  readonly restore?: boolean
}

/** What was found or done for one team, or why nothing could be. */
type OfTeam<Skills> =
  | { readonly team: string; readonly skills: readonly Skills[] }
  | { readonly team: string; readonly error: string }

const standings: Readonly<Record<Standing, string>> = {
  current: 'current',
  changed: 'changed by the team',
  outdated: 'outdated: a newer one ships',
  diverged: 'changed by the team, and a newer one ships',
  missing: 'missing',
  removed: 'removed by the team',
  unreadable: 'unreadable',
}

const actions: Readonly<Record<Action, string>> = {
  current: 'is current',
  kept: "keeps the team's changes",
  updated: 'updated',
  offered: "keeps the team's changes",
  installed: 'installed',
  removed: 'stays removed; --restore brings it back',
  restored: 'restored',
  unreadable: 'left as it is',
}

export function registerSkills(program: Command): void {
  const skills = program
    .command('skills')
    .description('Show the skills of teams, and bring them up to date')
    .addHelpText('after', helpOfDefault('list', 'fed skills docs'))
  declare(
    skills,
    'list [address]',
    'Show where each skill stands: current, changed, outdated or missing',
    'fed skills list docs --json',
    { isDefault: true },
  ).action(async (id: string | undefined, options: CommonOptions) => {
    const { federation } = await openScope(options)
    const { standingsOf } = await import('../../../records/skills/holders.ts')
    const found = await forEach(await addressesOf(federation, id), id !== undefined, async (address) =>
      standingsOf(await holderOf(federation, address)),
    )
    print(options, found, () => table(found.flatMap(listRows)))
    if (found.some((one) => 'error' in one)) process.exitCode = 1
  })
  declare(
    skills,
    'sync [address]',
    'Update skills to what ships with fed, without overwriting what a team changed',
    'fed skills sync --all',
  )
    .option('--all', 'of meta and of every team')
    .option('--restore', 'bring back skills that the team removed')
    .addHelpText(
      'after',
      '\nWhat the team did not change is replaced. What it changed stays, and the newer one is laid beside it as' +
        '\n<skill>.new: take over what you want from it and remove it. What it removed stays away.',
    )
    .action(async (id: string | undefined, options: SyncOptions) => {
      if (id !== undefined && options.all) throw new UsageError('name a team, or --all; not both')
      const { federation, actor } = await openScope(options, id)
      if (id === undefined && !options.all && actor === 'meta')
        throw new UsageError("whose skills? name a team, or 'meta', or --all")
      const { syncSkills } = await import('../../../records/skills/sync.ts')
      const addresses = options.all ? await addressesOf(federation) : [actor]
      const done = await forEach(addresses, !options.all, async (address) => {
        const { workspace, skills: own } = await holderOf(federation, address)
        return syncSkills(workspace, own, options.restore === true)
      })
      print(options, done, () => table(done.flatMap(syncRows)))
      if (done.some((one) => 'error' in one || one.skills.some(({ fault }) => fault !== undefined)))
        process.exitCode = 1
    })
}

async function addressesOf(federation: Federation, id?: string): Promise<string[]> {
  if (id !== undefined) return [id]
  const { META } = await import('../../../protocol/team-id.ts')
  return [META, ...federation.registry.read().teams.map(({ domainId }) => domainId)]
}

async function holderOf(federation: Federation, address: string): Promise<Holder> {
  const { metaHolder, teamHolder } = await import('../../../records/skills/holders.ts')
  const { root, config, registry } = federation
  if (address === 'meta') return metaHolder(root)
  const entry = registry.entry(address)
  const { skills } = await federation.archetype(entry.archetypeId)
  return teamHolder(root, config, entry, skills)
}

/** One team's error is the command's own; among several it does not hide the others. */
async function forEach<Skills>(
  addresses: readonly string[],
  isAlone: boolean,
  act: (address: string) => Promise<readonly Skills[]>,
): Promise<OfTeam<Skills>[]> {
  return Promise.all(
    addresses.map(async (team) => {
      try {
        return { team, skills: await act(team) }
      } catch (error) {
        const words = explainSystemError(error) ?? (error instanceof FedError ? error.message : undefined)
        if (isAlone || words === undefined) throw error
        return { team, error: words }
      }
    }),
  )
}

function listRows(one: OfTeam<SkillStanding>): string[][] {
  if ('error' in one) return [[one.team, '', one.error]]
  return one.skills.map(({ skill, standing, beside, fault }) => [
    one.team,
    skill,
    fault !== undefined ? `${standings[standing]}: ${fault}` : `${standings[standing]}${inWords(beside)}`,
  ])
}

function syncRows(one: OfTeam<Synced>): string[][] {
  if ('error' in one) return [[one.team, '', one.error]]
  return one.skills.map(({ skill, action, beside, fault }) => [
    one.team,
    skill,
    fault === undefined ? `${actions[action]}${inWords(beside)}` : `${actions[action]}: ${fault}`,
  ])
}

/** What to do with what lies beside a skill. */
function inWords(beside: string | undefined): string {
  return beside === undefined ? '' : `; take over what you want from ${beside}, then remove that file`
}
