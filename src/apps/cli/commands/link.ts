import type { Command } from 'commander'
import { declare, type CommonOptions } from '../declare-command.ts'
import { note, print, table } from '../output.ts'
import { parseCount, parseCountOrNone } from '../parse-duration.ts'
import type { UpSettings } from '../link-up.ts'
import { openScope } from '../scope.ts'

export function registerLink(program: Command): void {
  const link = program
    .command('link')
    .description('Work as one federation at several sites, linked by NATS JetStream')
  declare(
    link,
    'up',
    'Link this site to the others, and carry signals and lives between them until Ctrl-C',
    'fed link up --servers nats://a:4222,nats://b:4222,nats://c:4222 --site berlin',
  )
    .option('--servers <addresses>', 'the NATS servers, separated by commas')
    .option('--site <name>', 'name of this site')
    .option('--federation <name>', 'name of the federation, the same at every site (default: fed)')
    .option('--meta <site>', 'the site at which meta lives (default: the first that is linked)')
    .option('--label <name...>', 'what this site has that tasks may need, such as gpu')
    .option('--slots <n>', 'run at most so many tasks of goals at once; 0 starts none', parseCountOrNone)
    .option('--remote <name>', 'the git remote that the sites share (default: origin)')
    .option('--credentials <file>', "file with the seed of this site's nkey")
    .option('--ca <file>', "certificate authority of the servers' certificates")
    .option(
      '--replicas <n>',
      'keep each message on so many nodes (default: 3 where there are as many)',
      parseCount,
    )
    .option('--detach', 'go on in the background')
    .action(async (options: UpSettings) => {
      const { federation } = await openScope(options)
      const { linkUp } = await import('../link-up.ts')
      await linkUp(federation, options)
    })

  declare(
    link,
    'status',
    'Show whether this site is linked, and what waits or is held',
    'fed link status',
  ).action(async (options: CommonOptions) => {
    const { federation } = await openScope(options)
    const { linkStatus, describeLink } = await import('../link-commands.ts')
    const status = linkStatus(federation)
    print(options, status, describeLink)
    if (status.site !== null && (status.running === null || status.running.trouble !== null))
      process.exitCode = 1
  })

  declare(
    link,
    'doctor',
    "Check the servers' setup, and say what is lost when a node dies",
    'fed link doctor',
  ).action(async (options: CommonOptions) => {
    const { federation } = await openScope(options)
    const { examine } = await import('../link-commands.ts')
    const findings = await examine(federation)
    print(options, findings, () =>
      table(
        findings.map(({ state, what, words, advice }) => [
          state,
          what,
          advice === undefined ? words : `${words}; ${advice}`,
        ]),
      ),
    )
    if (findings.some(({ state }) => state === 'wrong')) process.exitCode = 1
  })

  declare(
    link,
    'fetch <team>',
    "Bring the document and the last session's log of a team of another site, verified",
    'fed link fetch docs',
  ).action(async (team: string, options: CommonOptions) => {
    const { federation } = await openScope(options)
    const { fetchOf } = await import('../link-commands.ts')
    const files = await fetchOf(federation, federation.addressOf(team))
    print(options, files, () => files.map(({ what, file }) => `${what}: ${file}`).join('\n'))
  })

  declare(
    link,
    'credentials <sites...>',
    "Make a key for each site, and the servers' settings that let it publish as itself only",
    'fed link credentials berlin tokyo --meta berlin --out keys',
  )
    .option('--out <folder>', 'where the files are written (default: link-keys)')
    .option('--meta <site>', 'the site at which meta lives (default: the first)')
    .option('--federation <name>', 'name of the federation (default: fed)')
    .action(
      async (
        sites: string[],
        options: CommonOptions & { out?: string; meta?: string; federation?: string },
      ) => {
        const { makeCredentials } = await import('../../../link/credentials.ts')
        const { resolve } = await import('node:path')
        const made = makeCredentials({
          sites,
          folder: resolve(options.out ?? 'link-keys'),
          meta: options.meta,
          federation: options.federation ?? 'fed',
        })
        print(options, made, ({ settings, seeds }) =>
          [
            `${settings}: settings for every server; 'include' it in theirs`,
            ...seeds.map(
              ({ site, file }) => `${file}: for site ${site} alone; 'fed link up --credentials ${file}'`,
            ),
          ].join('\n'),
        )
      },
    )

  declare(link, 'down', 'Stop the link of this site', 'fed link down')
    .option('--leave', 'be a federation of its own again')
    .action(async (options: CommonOptions & { leave?: boolean }) => {
      const { federation } = await openScope(options)
      const { linkDown } = await import('../link-commands.ts')
      const ended = await linkDown(federation, options.leave === true)
      print(options, ended, ({ wasRunning, hasLeft }) =>
        [
          wasRunning ? 'the link is stopped' : 'no link was running',
          ...(hasLeft ? ['this federation stands alone'] : []),
        ].join('; '),
      )
      if (ended.still.length > 0)
        note(
          options,
          `the other sites keep the names of ${ended.still.join(', ')} for it: 'fed link up --site <the same name>' comes back to them, and 'fed takeover' there goes on with them`,
        )
      if (!options.leave) note(options, "signals for other sites wait here until 'fed link up'")
    })
}
