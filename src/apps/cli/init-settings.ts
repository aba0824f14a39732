import { UsageError } from '../../errors/fed-error.ts'
import { configSchema, type ConfigInput } from '../../protocol/config-schema.ts'
import { problemsOf } from '../../protocol/problems.ts'
import { readConfig } from '../../records/config/load-config.ts'

export interface InitOptions {
  readonly description?: string
  readonly federationName?: string
  readonly agent?: string
  readonly telemetry?: 'on' | 'off'
  readonly endpoint?: string
  readonly chatTeam?: string
  readonly chatChannel?: string
}

/** Which field of the configuration each option sets. */
const fields: Readonly<Record<keyof InitOptions, readonly [option: string, field: string]>> = {
  description: ['--description', 'description'],
  federationName: ['--federation-name', 'federationName'],
  agent: ['--agent', 'agentCommand'],
  telemetry: ['--telemetry', 'telemetry.enabled'],
  endpoint: ['--endpoint', 'telemetry.collector.endpoint'],
  chatTeam: ['--chat-team', 'chatConfig.teamId'],
  chatChannel: ['--chat-channel', 'chatConfig.channelId'],
}

type Document = { [key: string]: unknown }

/**
 * What the options say, as a configuration holds it.
 * @throws {UsageError} naming every option whose value cannot be.
 */
export function settingsOf(options: InitOptions): ConfigInput {
  const settings: Document = {}
  for (const { field, value } of given(options)) {
    const keys = field.split('.')
    const last = keys.pop() as string
    const group = keys.reduce<Document>((at, key) => (at[key] ??= {}) as Document, settings)
    group[last] = value
  }
  const parsed = configSchema.safeParse(settings)
  if (parsed.success) return settings
  const optionOf = new Map(Object.values(fields).map(([option, field]) => [field, option]))
  const problems = problemsOf(parsed.error).map(
    ({ path, message }) => `${optionOf.get(path) ?? path}: ${message}`,
  )
  throw new UsageError(problems.length === 1 ? problems.join() : `not usable:\n  ${problems.join('\n  ')}`)
}

/**
 * A configuration that is there stays as it is, so an option may only repeat what it says.
 * @returns whether there is none yet.
 * @throws {UsageError} naming every option that says something else; {ConfigValidationError}
 */
export function refuseOtherSettings(root: string, options: InitOptions): boolean {
  const { file, given: content } = readConfig(root)
  if (content === undefined) return true
  const others = given(options).flatMap(({ option, field, value }) =>
    field.split('.').reduce<unknown>((at, key) => (at as Document | undefined)?.[key], content) === value
      ? []
      : [option],
  )
  if (others.length === 0) return false
  throw new UsageError(
    `${others.join(', ')}: ${file} is there already and says something else; edit it, 'fed config' shows what applies`,
  )
}

function given(options: InitOptions) {
  return Object.entries(fields).flatMap(([name, [option, field]]) => {
    const value = options[name as keyof InitOptions]
    if (value === undefined) return []
    return [{ option, field, value: name === 'telemetry' ? value === 'on' : value }]
  })
}
