import type { Command } from 'commander'
import { ageInWords } from '../../../protocol/duration.ts'
import { declare, type CommonOptions } from '../declare-command.ts'
import { note, print, table } from '../output.ts'
import { openScope } from '../scope.ts'

export function registerSites(program: Command): void {
  declare(
    program,
    'sites',
    'Show the sites of the federation, and the teams at each',
    'fed sites --json',
  ).action(async (options: CommonOptions) => {
    const { federation } = await openScope(options)
    const { sitesOf } = await import('../link-commands.ts')
    const sites = await sitesOf(federation)
    print(options, sites, () =>
      table(
        sites.map(({ site, isOwn, isHome, heardMs, teams, labels, slots }) => [
          `${site}${isOwn ? ' (this one)' : ''}${isHome ? ', meta' : ''}`,
          heardMs === null ? 'not there' : `heard ${ageInWords(heardMs)} ago`,
          `${teams.length} ${teams.length === 1 ? 'team' : 'teams'}`,
          [...(slots > 0 ? [`${slots} slots`] : []), ...labels].join(', '),
          teams.map(({ team, state }) => `${team} ${state ?? ''}`.trim()).join(', '),
        ]),
      ),
    )
  })
}

export function registerMove(program: Command): void {
  declare(program, 'move <team>', 'Hand a team over to another site', 'fed move docs --to tokyo')
    .requiredOption('--to <site>', 'the site at which it goes on')
    .option('--force', 'also where its workspace holds links, which stay here')
    .action(async (team: string, options: CommonOptions & { to: string; force?: boolean }) => {
      const { federation } = await openScope(options)
      const { withLink } = await import('../link-commands.ts')
      const { moveTeam } = await import('../../../link/move-team.ts')
      const aside = await withLink(federation, (link, view) =>
        moveTeam(federation, link, view, {
          team: federation.addressOf(team),
          site: options.to,
          isForced: options.force === true,
        }),
      )
      print(
        options,
        aside,
        ({ folder }) => `${team} goes on at ${options.to}; what it left here is in ${folder}`,
      )
    })
}

export function registerTakeover(program: Command): void {
  declare(
    program,
    'takeover <site>',
    'Go on here with every team of a site that is gone, from what the servers accepted last',
    'fed takeover tokyo',
  )
    .option('--force', 'also where its link still speaks: what it does from now on counts nowhere')
    .action(async (site: string, options: CommonOptions & { force?: boolean }) => {
      const { federation } = await openScope(options)
      const { withLink } = await import('../link-commands.ts')
      const { takeOver } = await import('../../../link/take-over.ts')
      const taken = await withLink(federation, (link, view) =>
        takeOver(link, view, site, options.force === true),
      )
      print(options, taken, () =>
        table(
          taken.map(({ team, version, state, epoch, isLost }) => [
            team,
            isLost ? 'somebody else took it' : `from version ${version}`,
            state ?? '',
            `epoch ${epoch}`,
          ]),
        ),
      )
      note(
        options,
        `what ${site} did after that counts nowhere; effects that left it by other ways (files, pushes, money) stand, and it lists them when it is linked again`,
      )
      const { readLinkState } = await import('../../../records/sites/link-state.ts')
      if (readLinkState(federation.root) === undefined)
        note(options, "this site's link does not run: 'fed link up' brings the teams here")
    })
}
