// An agent that is found as `claude`, speaks claude's stream, and behaves as it is told (test/agents/stream-json.mjs).
import { fileURLToPath } from 'node:url'
import { fed, pathWith } from './fed.ts'

const program = fileURLToPath(new URL('../agents/stream-json.mjs', import.meta.url))

/** Where `claude` is a program that behaves so, session after session. */
export const posing = (...behaviours: string[]) => ({
  env: { PATH: pathWith({ claude: `exec '${process.execPath}' '${program}' ${behaviours.join(',')} "$@"` }) },
})

/** `fed launch --team docs` with it. */
export const launchPosing = (root: string, behaviours: readonly string[], ...more: string[]) =>
  fed(root, ['launch', '--team', 'docs', '--agent', 'claude', ...more], posing(...behaviours))
