import { program } from '../../platform/process/package.ts'
import type { Assignment } from './driver.ts'

/** Name of the server under which an agent finds fed's tools. */
export const SERVER = 'fed'

/** How an agent's host starts fed's tools for a team: `fed mcp`. */
export interface ToolsServer {
  readonly command: string
  readonly args: readonly string[]
  /** Hosts give their servers a small part of their own environment. */
  readonly env: Readonly<Record<string, string>>
}

/** What a federation's processes must agree on. */
const inherited = ['FED_DURABILITY', 'FED_TELEMETRY_ENABLED', 'PATH', 'HOME']

export function toolsServer({ team, root }: Pick<Assignment, 'team' | 'root'>): ToolsServer {
  return {
    command: process.execPath,
    args: [program('fed'), 'mcp', '--team', team, '--dir', root],
    env: Object.fromEntries(
      inherited.flatMap((name) => {
        const value = process.env[name]
        return value === undefined ? [] : [[name, value]]
      }),
    ),
  }
}
