import type { RunOptions } from '../chat-bridge.ts'
import os from 'node:os'
import { type Command, Option } from 'commander'
import { UnreadableDocumentError } from '../../../errors/document-errors.ts'
import { UsageError } from '../../../errors/fed-error.ts'
import type { Federation } from '../../../federation/federation.ts'
import { declare, helpOfDefault, type CommonOptions } from '../declare-command.ts'
import { parseCount, parseDuration } from '../parse-duration.ts'
import { note, print } from '../output.ts'
import { manyLines, oneLine } from '../plain-text.ts'
import { openScope } from '../scope.ts'

interface ChatOptions extends RunOptions {
  readonly detach?: boolean
  readonly status?: boolean
  readonly stop?: boolean
}

export function registerChat(program: Command): void {
  const chat = program
    .command('chat')
    .description('Be present in a chat: people say what they want, and are answered')
    .addHelpText('after', helpOfDefault('bridge', 'fed chat --detach'))
  declare(
    chat,
    'bridge',
    'Read what is said to @<federationName>, carry it out once, and answer in the thread',
    'fed chat --detach',
    { isDefault: true },
  )
    .option('--once', 'take up what was said by now, and end')
    .option(
      '--interval <duration>',
      'time between looks (default: 2s, 10s by a server, 30s by an agent host, whose looks grow rare while nothing happens)',
      parseDuration,
    )
    .addOption(new Option('--detach', 'go on in the background').conflicts('once'))
    .addOption(
      new Option('--status', 'say whether a bridge works, and what waits').conflicts([
        'once',
        'detach',
        'stop',
      ]),
    )
    .addOption(new Option('--stop', 'end the bridge that works').conflicts(['once', 'detach']))
    .addOption(
      new Option(
        '--channel <kind>',
        "where people talk: a file here, or chatConfig's channel by the tools of the agent host or of its server",
      ).choices(['local', 'host', 'server']),
    )
    .option('--timeout <duration>', 'longest that the agent may be silent (default: 2m)', parseDuration)
    .option('--agent <name|command>', 'the agent that is asked (default: agentCommand of the configuration)')
    .action(async (options: ChatOptions) => {
      const { federation } = await openScope(options)
      const [{ channelOf, chatSettings }, { detachBridge, runBridge, showBridge, stopBridge }] =
        await Promise.all([import('../../chat/chat-settings.ts'), import('../chat-bridge.ts')])
      const chosen = { kind: options.channel, agent: options.agent }
      // a name that was taken away keeps no bridge alive
      if (options.stop) return stopBridge(federation, channelOf(federation, chosen).key, options)
      const settings = chatSettings(federation, chosen)
      if (options.status) return showBridge(federation, settings, options)
      if (options.detach) return detachBridge(federation, settings, options)
      return runBridge(federation, settings, options)
    })
  declare(chat, 'say <words...>', 'Say something in the local channel', 'fed chat say "@shop pause docs"')
    .option('--as <sender>', 'who says it (default: your name on this machine)')
    .option('--thread <id>', 'answer in the thread of this message')
    .action(async (words: string[], options: CommonOptions & { as?: string; thread?: string }) => {
      const { federation, channel, name } = await localChannel(options)
      const sender = oneLine(options.as ?? userName())
      if (sender === '') throw new UsageError('--as: a sender needs a name')
      const text = words.join(' ')
      if (text.trim() === '') throw new UsageError(`say something: fed chat say "@${name} status"`)
      const said = channel.say(sender, text, threadOf(channel, options.thread))
      print(options, said, ({ id }) => `said as ${sender}: ${id}`)
      const hint = await whoHears(federation, name, text)
      if (hint !== undefined) note(options, hint)
    })
  declare(chat, 'log', 'Show what was said in the local channel', 'fed chat log --last 20')
    .option('--last <n>', 'only so many of the newest messages', parseCount)
    .action(async (options: CommonOptions & { last?: number }) => {
      const { federation, channel } = await localChannel(options)
      const [{ channelOf }, { noteUnreached }] = await Promise.all([
        import('../../chat/chat-settings.ts'),
        import('../chat-bridge.ts'),
      ])
      noteUnreached(channelOf(federation), options)
      const all = channel.messages().map(({ message }) => message)
      const shown = options.last === undefined ? all : all.slice(-options.last)
      print(options, shown, () =>
        shown.length === 0 ? 'nothing was said yet' : shown.map(asLines).join('\n'),
      )
    })
}

/** A container may run as somebody whom the system does not know. */
function userName(): string {
  try {
    return os.userInfo().username
  } catch (error) {
    if (error instanceof Error && 'code' in error) return 'somebody'
    throw error
  }
}

/** Why nobody answers what was said, where that is so. */
async function whoHears(federation: Federation, name: string, text: string): Promise<string | undefined> {
  const [{ saidTo }, { ChatLedger }, { channelOf }, { LOCAL }, { sayUnreached }, { workerOf }] =
    await Promise.all([
      import('../../chat/mention.ts'),
      import('../../chat/chat-ledger.ts'),
      import('../../chat/chat-settings.ts'),
      import('../../chat/local-channel.ts'),
      import('../../chat/unreached.ts'),
      import('../../chat/channel-lease.ts'),
    ])
  if (saidTo(name, text) === undefined) return `it is said to nobody: who listens is @${name}`
  try {
    if (workerOf(new ChatLedger(federation.root, LOCAL).read())?.kind === 'bridge') return undefined
  } catch (error) {
    // it is said all the same
    if (error instanceof UnreadableDocumentError) return error.message
    throw error
  }
  const { kind, unreached } = channelOf(federation)
  const which = kind === 'local' ? '' : ' --channel local'
  const why = unreached === undefined ? '' : `; ${sayUnreached(unreached)}`
  return `no bridge works now: 'fed chat --once${which}' answers${why}`
}

async function localChannel(options: CommonOptions) {
  const [{ federation }, { LocalChannel }, { chatSettings }] = await Promise.all([
    openScope(options),
    import('../../chat/local-channel.ts'),
    import('../../chat/chat-settings.ts'),
  ])
  const { name } = chatSettings(federation, { kind: 'local' })
  return { federation, name, channel: new LocalChannel(federation.root, name) }
}

type Local = Awaited<ReturnType<typeof localChannel>>['channel']

/** The thread of a message that is named by the beginning of its id. */
function threadOf(channel: Local, reference: string | undefined): string | undefined {
  if (reference === undefined) return undefined
  const found = channel.messages().find(({ message }) => message.id.startsWith(reference))
  if (found === undefined) note({}, `there is no message ${reference}: a new thread begins`)
  return found?.message.thread
}

function asLines({ id, thread, at, sender, text }: ReturnType<Local['messages']>[number]['message']): string {
  const [first = '', ...rest] = manyLines(text).split('\n')
  const answer = thread === id ? '' : '↳ '
  return [
    `${at}  ${id.slice(0, 8)}  ${answer}${oneLine(sender)}: ${first}`,
    ...rest.map((line) => `    ${line}`),
  ].join('\n')
}
