#!/usr/bin/env node
// The embedded agent: surveys the federation's code without a language model. The launcher gives it FED_ROOT,
// FED_TEAM, FED_WORKSPACE and a `fed` on its PATH; everything else it asks `fed`. With the argument
// `acp` it speaks the Agent Client Protocol instead, as a host of the local chat channel.
import { runAgent } from '../../surveyor/agent.ts'

const [root, team, workspace] = [
  process.env['FED_ROOT'],
  process.env['FED_TEAM'],
  process.env['FED_WORKSPACE'],
]
if (process.argv[2] === 'acp') {
  // a host for the local channel: see `src/apps/chat/host/embedded-host.ts`
  void import('../chat/host/embedded-host.ts').then(({ serveAsHost }) => serveAsHost(root ?? process.cwd()))
} else if (root === undefined || team === undefined || workspace === undefined) {
  process.stderr.write(
    'fed-agent is started by `fed launch`, which sets FED_ROOT, FED_TEAM and FED_WORKSPACE\n',
  )
  process.exitCode = 2
} else {
  runAgent({ root, team, workspace }).then(
    (code) => (process.exitCode = code),
    (error: unknown) => {
      process.stderr.write(
        `fed-agent failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
      )
      process.exitCode = 1
    },
  )
}
