import path from 'node:path'
import { unless } from '../../errors/unless.ts'
import { NewerFormatError } from '../../errors/newer-format.ts'
import { fileNameOf, ledgerDocument, ledgerNames, type Ledger } from './chat-ledger.ts'
import { LocalChannel } from './local-channel.ts'
import { channelOf, nameFault } from './chat-settings.ts'
import { advice } from './unreached.ts'
import { federationLayout } from '../../protocol/folder-layout.ts'
import { documentFindings } from '../../monitor/diagnosis/document-findings.ts'
import { newerFinding, reasonOf, type Found } from '../../monitor/diagnosis/finding.ts'
import { isDamage, type Check, type View } from '../../monitor/diagnosis/view.ts'

/** Whether the bridge can read what it knows of each channel, and people's messages in the local one. */
function chatFindings(view: View): Found[] {
  const { root } = view
  return [
    ...nameFindings(view),
    ...channelFindings(view),
    ...ledgerNames(root).flatMap((name) => oneLedger(root, name)),
    ...messageFindings(root),
  ]
}

/** Whether the bridge has a name, without which it does not begin; everything else works. */
function nameFindings({ root, config, configFault }: View): Found[] {
  const fault = configFault === undefined ? nameFault({ root, config }) : undefined
  if (fault === undefined) return []
  return fault.problems.map(({ path: field, message }) => ({
    severity: 'error',
    where: fault.file,
    message: `${field}: ${message}`,
    fix: "add it; until then 'fed chat' answers nobody",
  }))
}

/** Whether somebody reaches the channel of `chatConfig`, as far as can be told without trying. */
function channelFindings({ root, config, configFault }: View): Found[] {
  if (configFault !== undefined || config.chatConfig === undefined) return []
  const { kind, key, unreached } = channelOf({ root, config })
  const where = federationLayout(root).config
  const fix = "'fed chat log' shows what is said in the local channel meanwhile"
  if (unreached !== undefined)
    return [
      { severity: 'warning', where, message: `the channel of chatConfig is not reached: ${unreached}`, fix },
    ]
  const trouble = troubleOf(root, key)
  if (trouble !== undefined) {
    const message = `the channel of chatConfig is not reached since ${trouble.at}: ${trouble.message}`
    return [{ severity: 'warning', where, message, fix: `'fed chat --once' tries again; ${advice}` }]
  }
  const by = kind === 'server' ? "its server's tools" : `the tools of ${config.agentCommand}`
  return [{ severity: 'ok', message: `the channel of chatConfig is read and written by ${by}` }]
}

function troubleOf(root: string, key: string): Ledger['trouble'] {
  // its own finding says so
  return unless(
    [isDamage, NewerFormatError],
    () => ledgerDocument(root, fileNameOf(key)).read()?.content.trouble,
  )
}

function oneLedger(root: string, name: string): Found[] {
  const document = ledgerDocument(root, name)
  const where = document.shape.file
  const findings = documentFindings(document, 100)
  if (findings.some(({ severity }) => severity === 'error')) return findings
  const channel = document.read()?.content.channel
  if (channel === undefined || fileNameOf(channel) === name) return findings
  const message = `it is the ledger of another channel (${channel})`
  const fix = `move it and ${path.basename(where, '.json')}.d away by hand; nobody reads them`
  return [...findings, { severity: 'warning', where, message, fix }]
}

function messageFindings(root: string): Found[] {
  const channel = new LocalChannel(root, '')
  const where = channel.file
  try {
    const { damaged } = channel.content()
    const [first] = damaged
    if (first === undefined) return []
    const message =
      damaged.length === 1
        ? `line ${first} is no message, and passed over`
        : `${damaged.length} lines are no messages, and passed over; the first is line ${first}`
    return [{ severity: 'note', where, message }]
  } catch (error) {
    if (error instanceof NewerFormatError) return [newerFinding(error)]
    if (!isDamage(error)) throw error
    const fix = 'move it away by hand; the next message begins a new one'
    return [{ severity: 'error', where, message: reasonOf(error), fix }]
  }
}

/** The chat's part of what the doctor examines. */
export const chatChecks: readonly Check[] = [['chat', chatFindings]]
