import { type Command, Option } from 'commander'
import type { Initialized } from '../../../federation/onboarding/set-up.ts'
import { declare, type CommonOptions } from '../declare-command.ts'
import type { InitOptions } from '../init-settings.ts'
import { note, print } from '../output.ts'
import { anotherAround, startingFolder } from '../scope.ts'

export function registerInit(program: Command): void {
  declare(
    program,
    'init',
    'Set up a federation in this repository; at a terminal it asks what is not given',
    'fed init --agent claude --telemetry off',
  )
    .option('--description <text>', 'what the federation is for')
    .option('--federation-name <name>', 'how a chat addresses it, as @<name>')
    .option('--agent <name|command>', 'the agent that works for the teams (default: fed-agent)')
    .addOption(new Option('--telemetry <on|off>', 'whether telemetry is emitted').choices(['on', 'off']))
    .option('--endpoint <url>', 'where telemetry goes')
    .option('--chat-team <guid>', 'the team in the chat product; with it goes --chat-channel')
    .option('--chat-channel <id>', 'the channel in that team')
    .option('--anew', 'begin without teams in a copy of another federation; what came along is kept')
    .option('-y, --yes', 'ask nothing: what is not given is at its default')
    .action(async (options: CommonOptions & InitOptions & { yes?: boolean; anew?: boolean }) => {
      const [{ initialize, rootFor }, { assertAtHome }, { refuseOtherSettings, settingsOf }] =
        await Promise.all([
          import('../../../federation/onboarding/set-up.ts'),
          import('../../../federation/federation-home.ts'),
          import('../init-settings.ts'),
        ])
      const dir = startingFolder(options)
      const root = rootFor(dir)
      const given = settingsOf(options)
      if (!options.anew) assertAtHome(root)
      // of what begins anew, before anything is moved
      const isNew = refuseOtherSettings(root, options)
      if (options.anew) {
        const { beginAnew } = await import('../../../federation/after-move-or-copy.ts')
        note(options, `what came along is kept in ${beginAnew(root)}`)
      }
      const settings =
        isNew && !options.yes && mayAsk(options)
          ? await (await import('../init-questions.ts')).ask(root, given)
          : given
      if (settings.agentCommand !== undefined) await noteMissingAgent(options, settings.agentCommand)
      const callHook = isNew ? undefined : await hookOf(root)
      const initialized = initialize(dir, settings)
      await callHook?.()
      print(options, initialized, describe)
      const { federationOutside } = await import('../../../federation/root.ts')
      const outer = initialized.created ? federationOutside(initialized.root) : undefined
      if (outer !== undefined) note(options, anotherAround(outer))
      await noteProposal(options, root)
    })
}

/** Nobody is taken by surprise: what proves the work is configured by a person, or not at all. */
async function noteProposal(options: CommonOptions, root: string): Promise<void> {
  const [{ loadConfig }, { proposalText, proposeChecks }] = await Promise.all([
    import('../../../records/config/load-config.ts'),
    import('../../../engine/checks/proposal.ts'),
  ])
  if (loadConfig(root).checks.length > 0) return
  const proposal = proposeChecks(root)
  if (proposal === undefined) return
  note(
    options,
    `no checks prove the work of coding teams; federate.config.json could say ${proposalText(proposal)}`,
  )
}

/** The initialization of a federation's hook, which is looked at before anything is made. */
async function hookOf(root: string): Promise<(() => Promise<void>) | undefined> {
  const { loadConfig } = await import('../../../records/config/load-config.ts')
  const { importHook } = loadConfig(root)
  if (importHook === undefined) return undefined
  const [{ loadHook }, { initializeByHook }] = await Promise.all([
    import('../../../federation/hooks/load-hook.ts'),
    import('../../../federation/hooks/initialize.ts'),
  ])
  await loadHook(root, importHook)
  return () => initializeByHook(root, importHook, true)
}

function describe({ root, created, renewed }: Initialized): string {
  if (created) return `federation set up in ${root}`
  const changed = renewed ? 'the schema of its configuration was renewed' : 'nothing was changed'
  return `${root} is a federation already; ${changed}`
}

/** What fits a question; a terminal that says it has no width at all, as some pipes to one do, shows nothing. */
const narrowest = 20

/** Whether somebody sits at a terminal that can show questions and take answers. */
function mayAsk({ json, quiet }: CommonOptions): boolean {
  const { CI, TERM } = process.env
  const isAutomated = CI !== undefined && CI !== '' && CI !== 'false'
  if (json || quiet || isAutomated || TERM === 'dumb') return false
  return process.stdin.isTTY && process.stderr.isTTY && process.stderr.columns >= narrowest
}

/** Somebody may configure an agent that others have, or that is installed later. */
async function noteMissingAgent(options: CommonOptions, agent: string): Promise<void> {
  const [{ findAgent }, { UsageError }] = await Promise.all([
    import('../../../agents/drivers/choose.ts'),
    import('../../../errors/fed-error.ts'),
  ])
  try {
    findAgent(agent)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    note(options, error.message)
  }
}
