import { isCancel, select, text, type CommonOptions as PromptOptions } from '@clack/prompts'
import { proposeChecks, type Proposal } from '../../engine/checks/proposal.ts'
import { InterruptedError } from '../../errors/fed-error.ts'
import { configSchema, EMBEDDED_AGENT, type ConfigInput } from '../../protocol/config-schema.ts'
import { problemsOf } from '../../protocol/problems.ts'
import { knownAgents } from '../../agents/drivers/presets.ts'
import { installedAgents } from '../../agents/sessions/installed-agents.ts'
import { defaultDescription } from '../../federation/onboarding/set-up.ts'

/** Stands for a command that is typed in. */
const OTHER = ''

/**
 * Asks for what a new configuration may say and no option said; nothing is written. The questions go to the
 * standard error: the standard output is for results.
 * @throws {InterruptedError} at Ctrl-C, Escape or Ctrl-D.
 */
export async function ask(root: string, given: ConfigInput): Promise<ConfigInput> {
  const gone = new AbortController()
  // Ctrl-D closes the input and answers nothing: nobody waits for the question any more, and the process would end
  const leave = () => gone.abort()
  process.once('beforeExit', leave)
  const at = { output: process.stderr, signal: gone.signal }
  try {
    const description = given.description ?? (await askDescription(at, root))
    const federationName = given.federationName ?? (await askName(at))
    const agentCommand = given.agentCommand ?? (await askAgent(at))
    const telemetry = given.telemetry ?? (await askTelemetry(at))
    const checks = await askChecks(at, root)
    return {
      ...given,
      description,
      ...(federationName === '' ? {} : { federationName }),
      ...(agentCommand === EMBEDDED_AGENT ? {} : { agentCommand }),
      ...(telemetry === undefined ? {} : { telemetry }),
      ...checks,
    }
  } finally {
    process.removeListener('beforeExit', leave)
  }
}

async function answered<Answer>(question: Promise<Answer>): Promise<Exclude<Answer, symbol>> {
  const answer = await question
  if (isCancel(answer)) throw new InterruptedError('nothing was set up')
  return answer as Exclude<Answer, symbol>
}

async function askDescription(at: PromptOptions, root: string): Promise<string> {
  const suggested = defaultDescription(root)
  const message = 'What is this federation for?'
  return answered(text({ ...at, message, placeholder: suggested, defaultValue: suggested }))
}

async function askName(at: PromptOptions): Promise<string> {
  const message = 'Its name in a chat, as @<name>? Leave it empty without one.'
  return (await answered(text({ ...at, message, placeholder: 'none', defaultValue: '' }))).trim()
}

async function askAgent(at: PromptOptions): Promise<string> {
  const installed = installedAgents()
  const agent = await answered(
    select({
      ...at,
      message: 'Which agent works for the teams?',
      options: [
        { value: EMBEDDED_AGENT, hint: 'ships with fed, surveys code without a language model' },
        ...knownAgents.filter(({ name }) => installed.includes(name)).map(({ name }) => ({ value: name })),
        { value: OTHER, label: 'another command' },
      ],
    }),
  )
  if (agent !== OTHER) return agent
  const validate = (command: string | undefined) => faultOf({ agentCommand: command ?? '' })
  return answered(text({ ...at, message: 'Its command, such as my-agent --headless', validate }))
}

async function askTelemetry(at: PromptOptions): Promise<ConfigInput['telemetry'] | undefined> {
  const endpoint = configSchema.parse({}).telemetry.collector.endpoint
  const chosen = await answered(
    select({
      ...at,
      message: 'Emit telemetry (OTLP over HTTP)?',
      options: [
        { value: 'default', label: `yes, to ${endpoint}` },
        { value: OTHER, label: 'yes, to another collector' },
        { value: 'off', label: 'no' },
      ],
    }),
  )
  if (chosen === 'off') return { enabled: false }
  if (chosen !== OTHER) return undefined
  const asSetting = (url: string) => ({ collector: { endpoint: url.trim() } })
  const validate = (url: string | undefined) => faultOf({ telemetry: asSetting(url ?? '') })
  return asSetting(
    await answered(text({ ...at, message: 'Its endpoint', placeholder: 'http://localhost:4318', validate })),
  )
}

/** Only where the manifests suggest something; who only presses Enter configures nothing. */
async function askChecks(at: PromptOptions, root: string): Promise<Proposal> {
  const proposal = proposeChecks(root)
  if (proposal === undefined) return {}
  const commands = [proposal.setup?.run ?? [], (proposal.checks ?? []).map(({ run }) => run)].flat(2)
  const chosen = await answered(
    select({
      ...at,
      message: `Does this prove the work of coding teams: ${commands.join(', then ')}?`,
      options: [
        { value: OTHER, label: 'none is configured for now' },
        { value: 'checks', label: 'yes, fed runs that itself on each commit' },
      ],
    }),
  )
  return chosen === 'checks' ? proposal : {}
}

/** What is wrong with an answer. */
function faultOf(settings: ConfigInput): string | undefined {
  const parsed = configSchema.safeParse(settings)
  return parsed.success ? undefined : problemsOf(parsed.error)[0]?.message
}
