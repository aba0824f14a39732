import { realpathSync } from 'node:fs'
import path from 'node:path'
import { Option, type Command } from 'commander'
import { InterruptedError } from '../../../errors/fed-error.ts'
import { printable } from '../../../errors/printable.ts'
import { unless } from '../../../errors/unless.ts'
import type { TrustedPart } from '../../../errors/untrusted-error.ts'
import type { Digests } from '../../../federation/trust/what-runs.ts'
import type { Config } from '../../../protocol/config-schema.ts'
import { declare, type CommonOptions } from '../declare-command.ts'
import { print, table } from '../output.ts'
import { startingFolder } from '../scope.ts'

interface TrustOptions extends CommonOptions {
  readonly list?: boolean
  readonly revoke?: boolean
  readonly yes?: boolean
}

export function registerTrust(program: Command): void {
  declare(
    program,
    'trust',
    'Show what this repository would run (hook, agent command, checks, git filters), and allow it as it is now',
    'fed trust',
  )
    .addOption(new Option('--list', 'show every federation that is trusted').conflicts('revoke'))
    .option('--revoke', 'allow nothing of this federation any more, or of --dir where one was')
    .option('-y, --yes', 'do not ask at a terminal')
    .addHelpText(
      'after',
      '\nA change of it asks again. Agents that fed knows by name need no trust, and no agent that --agent names.' +
        '\nFED_TRUST=<the sha256 that --json prints> allows the same where nothing can be kept, as in CI.',
    )
    .action(async (options: TrustOptions) => {
      const { allTrusted } = await import('../../../federation/trust/trust-store.ts')
      if (options.list) {
        const rows = (all: typeof federations) =>
          table(all.map(({ root, at, allows }) => [root, at, Object.keys(allows).join(', ')]))
        const federations = allTrusted()
        return print(options, federations, (all) => (all.length === 0 ? 'nothing is trusted' : rows(all)))
      }
      const root = await rootOf(options)
      if (options.revoke) {
        const { revoke } = await import('../../../federation/trust/allowed-parts.ts')
        const revoked = revoke(root)
        return print(options, { root, revoked }, () =>
          revoked ? `${root} is not trusted any more` : `${root} was not trusted`,
        )
      }
      const [{ allow, presentIn }, { loadConfig }] = await Promise.all([
        import('../../../federation/trust/allowed-parts.ts'),
        import('../../../records/config/load-config.ts'),
      ])
      const present = presentIn(root)
      const config = loadConfig(root)
      const filters = present.filters.flatMap(({ settings }) =>
        settings.map(([key, value]) => `${printable(key)}: ${printable(value)}`),
      )
      const runs = [
        ...[...present.parts].map(([part, digests]) => ({
          part: part as string,
          is: wordsFor(part, digests, config),
        })),
        ...(filters.length === 0 ? [] : [{ part: 'git filters', is: filters }]),
      ]
      const shown = () => table(runs.flatMap(({ part, is }) => is.map((line) => [part, line])))
      const mayAsk = !options.yes && !options.json && process.stdin.isTTY && process.stderr.isTTY
      if (mayAsk && runs.length > 0) await confirmed(shown())
      allow(root, present)
      print(options, { root, sha256: present.sha256, runs }, () =>
        runs.length === 0
          ? `nothing in ${root} needs trust`
          : `${mayAsk ? '' : `${shown()}\n`}${root} is trusted to run this, as it is now`,
      )
    })
}

/** The federation's root; with `--revoke` also of one that is not there any more. */
async function rootOf(options: TrustOptions): Promise<string> {
  const { findRoot } = await import('../../../federation/root.ts')
  const { dir } = options
  if (options.revoke && dir !== undefined) {
    const root = unless([Error], () => findRoot(startingFolder(options)).root)
    return root === undefined ? path.resolve(dir) : realpathSync(root)
  }
  return realpathSync(findRoot(startingFolder(options)).root)
}

/** What a part is, a line each. */
function wordsFor(part: TrustedPart, digests: Digests, config: Config): string[] {
  const { agentCommand, agents, chatConfig, checks, setup } = config
  switch (part) {
    case 'importHook':
      return Object.keys(digests).filter((name) => name !== 'module')
    case 'agentCommand':
      return [agentCommand]
    case 'agents':
      return Object.entries(agents).map(([name, command]) => `${name}: ${command}`)
    case 'chatConfig.server':
      return [chatConfig?.server?.command.join(' ') ?? '']
    case 'checks':
      return [
        ...checks.map(({ name, run }) => `${name}: ${run}`),
        ...(setup === undefined ? [] : [`setup: ${setup.run}`]),
      ]
    case 'confinement':
      return Object.entries(config.confinement).flatMap(([name, given]) => {
        const words = [given].flat().join(', ')
        return words === '' || words === 'auto' ? [] : [`${name}: ${words}`]
      })
    case '.fed':
      return ['it is tracked by git: its teams, missions, skills and kept setups count as made here']
  }
}

/** @throws {InterruptedError} unless the person says yes. */
async function confirmed(shown: string): Promise<void> {
  const { confirm, note } = await import('@clack/prompts')
  const output = process.stderr
  note(shown, 'this would run', { output })
  if ((await confirm({ message: 'Allow it?', initialValue: false, output })) !== true)
    throw new InterruptedError('nothing was allowed')
}
