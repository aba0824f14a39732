import path from 'node:path'
import type { McpServer } from '@modelcontextprotocol/server'
import { peersOf } from '../../federation/goal/peers.ts'
import type { Federation } from '../../federation/federation.ts'
import type { RegistryEntry } from '../../protocol/registry-schema.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import { disk } from '../../platform/storage/disk.ts'
import { readOutside } from '../../platform/storage/outside-file.ts'
import { watchDirectory } from '../../records/signals/watch.ts'

/** The inbox as a resource, of which a client that asks for it is told when mail comes. */
const INBOX = 'fed://inbox'

/** A file that an agent may write is shown up to so many bytes. */
const largestBytes = 4 * 1_048_576

function textOf(file: string): string {
  const outside = readOutside(file, { largestBytes, followLinks: false })
  if (outside.kind === 'text') return outside.text
  return outside.kind === 'missing' ? '' : `(${path.basename(file)}: ${outside.fault})`
}

function addSkills(server: McpServer, folder: string): void {
  for (const file of disk.list(folder).filter((name) => /^[\w-]+\.md$/.test(name))) {
    const name = path.basename(file, '.md')
    const text = () => textOf(path.join(folder, file))
    server.registerResource(
      `skill ${name}`,
      `fed://skills/${name}`,
      { description: `The skill '${name}' of your team.`, mimeType: 'text/markdown' },
      (uri) => ({ contents: [{ uri: uri.href, mimeType: 'text/markdown', text: text() }] }),
    )
    server.registerPrompt(name, { description: `Work by the skill '${name}'.` }, () => ({
      messages: [{ role: 'user' as const, content: { type: 'text' as const, text: text() } }],
    }))
  }
}

/**
 * Adds what the caller may read to a server: its inbox, and of a team its mission, plan, deliverable, findings and
 * skills; skills are prompts as well. Tells clients that subscribe to the inbox when mail comes.
 * @returns ends the watch of the inbox.
 */
export function addResources(
  server: McpServer,
  federation: Federation,
  address: string,
  entry: RegistryEntry | undefined,
): () => void {
  const mailbox = federation.mailbox(address)
  const add = (name: string, description: string, mimeType: string, text: () => string | Promise<string>) =>
    server.registerResource(name, `fed://${name}`, { description, mimeType }, async (uri) => ({
      contents: [{ uri: uri.href, mimeType, text: await text() }],
    }))
  add('inbox', 'The signals that wait for you.', 'application/json', () =>
    JSON.stringify(mailbox.unacknowledged(), null, 2),
  )
  if (entry !== undefined) {
    const { learnings, skills } = workspaceLayout(entry.location)
    const team = () => federation.openEntry(entry)
    const context = async () => (await team()).present().context as { mission?: unknown; plan?: unknown }
    add('mission', 'What your team is to do.', 'application/json', async () =>
      JSON.stringify((await context()).mission ?? null, null, 2),
    )
    add('plan', 'The plan that your team reported.', 'text/plain', async () => {
      const { plan } = await context()
      return typeof plan === 'string' ? plan : JSON.stringify(plan ?? '', null, 2)
    })
    add('peers', 'Teams that you may ask, what they know and where they stand.', 'application/json', () =>
      JSON.stringify(peersOf(federation, entry), null, 2),
    )
    add('deliverable', 'What your team has written so far.', 'text/markdown', async () =>
      textOf((await team()).deliverableFile),
    )
    add('learnings', 'What your team found, a line of JSON each.', 'application/jsonl', () =>
      textOf(learnings),
    )
    addSkills(server, skills)
  }
  return tellOfMail(server, mailbox.inbox)
}

function tellOfMail(server: McpServer, inbox: string): () => void {
  const wanted = new Set<string>()
  server.server.setRequestHandler('resources/subscribe', ({ params }) => {
    wanted.add(params.uri)
    return {}
  })
  server.server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    wanted.delete(params.uri)
    return {}
  })
  return watchDirectory(inbox, () => {
    // a client that is gone needs no notice
    if (wanted.has(INBOX)) server.server.sendResourceUpdated({ uri: INBOX }).catch(() => undefined)
  })
}
