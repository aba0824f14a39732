// Proves what an agent may use that answers people in a chat, or reads and posts there for the bridge, whatever a
// message talked it into. It fails when it may read outside of the repository, run anything but fed's own commands
// as they are, or use its host's other tools.
import { symlinkSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { channelMay, coordinatorPolicy } from '../../../src/apps/chat/host/coordinator-policy.ts'
import { newFolder } from '../../support/fed.ts'

test.each([
  [false, { kind: 'read', rawInput: { files: [{ path: '/etc/passwd' }] } }],
  [false, { kind: 'read', rawInput: { uri: 'file:///etc/passwd' } }],
  [false, { kind: 'read', rawInput: { path: '~root/.bashrc' } }],
  [false, { kind: 'read', rawInput: { path: 'elsewhere/hosts' } }],
  [false, { kind: 'search', rawInput: { pattern: 'x', glob: 'elsewhere/**' } }],
  [true, { kind: 'search', rawInput: { pattern: "from '../app.ts'", path: '.fed/teams' } }],
  [true, { kind: 'execute', rawInput: { command: 'fed', args: ['status', 'docs'], cwd: '.' } }],
  [true, { kind: 'execute', rawInput: { command: 'fed status', env: {}, description: 'See', timeout: 3 } }],
  [false, { kind: 'execute', rawInput: { command: 'fed', args: 'status; rm -rf .' } }],
  [false, { kind: 'execute', rawInput: { command: 'fed status', cwd: '/' } }],
  [false, { kind: 'execute', rawInput: { command: 'fed status', workdir: '.fed/teams/docs' } }],
  [
    false,
    {
      kind: 'execute',
      rawInput: { command: 'fed status', env: [{ name: 'NODE_OPTIONS', value: '-r ./x' }] },
    },
  ],
])('%s: the coordinator may use %j', (may, tool) => {
  const root = newFolder('policy')
  symlinkSync('/etc', path.join(root, 'elsewhere'))
  expect(coordinatorPolicy(root)(tool)).toBe(may)
})

test.each([
  [true, { kind: 'other', name: 'mcp__chat__list_channel_messages' }],
  [true, { kind: 'read', title: 'List messages' }],
  [false, { kind: 'read', title: 'Read /etc/passwd' }],
  [false, { kind: 'read', title: 'Read /etc/message' }],
  [false, { kind: 'read', title: 'Read the message', rawInput: { path: '/etc/passwd' } }],
  [false, { kind: 'read', title: 'Read the message', locations: [{ path: 'a.ts' }] }],
  [false, { kind: 'fetch', title: 'https://example.org' }],
  [false, { kind: 'fetch', title: 'Post', rawInput: { url: 'https://example.org/?secret' } }],
  [true, { title: 'Post', rawInput: { text: '/status is no command' } }],
  [true, { name: 'msteams-sendChannelMessage' }],
  [false, { name: 'replace_text' }],
  [false, { name: 'postgres_query' }],
  [false, { title: 'send_email' }],
  [false, { kind: 'edit', title: 'post.md' }],
  [false, { kind: 'execute', title: 'send messages' }],
])('%s: the channel may be read and written with %j', (may, tool) => expect(channelMay(tool)).toBe(may))
