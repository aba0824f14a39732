import { pathOutside } from '../../platform/process/find-program.ts'
import { program } from '../../platform/process/package.ts'
import type { Assignment } from './driver.ts'

/** Name of the MCP server under which an agent finds fed's tools. */
export const SERVER = 'fed'

/** How an agent starts the server of fed's tools for a team: `fed mcp`. */
export interface ToolsServer {
  readonly command: string
  readonly args: readonly string[]
  /** Environment variables; agents pass only a small part of their own to their servers. */
  readonly env: Readonly<Record<string, string>>
}

/** Environment variables that the tools server gets from this process: both must work alike. */
const inherited = ['FED_DURABILITY', 'FED_TELEMETRY_ENABLED', 'HOME']

export function toolsServer({ team, root, tray }: Pick<Assignment, 'team' | 'root' | 'tray'>): ToolsServer {
  return {
    command: process.execPath,
    args: [program('fed'), 'mcp', '--team', team, '--dir', root],
    env: {
      ...Object.fromEntries(
        inherited.flatMap((name) => {
          const value = process.env[name]
          return value === undefined ? [] : [[name, value]]
        }),
      ),
      PATH: pathOutside([root]),
      FED_ROOT: root,
      FED_TEAM: team,
      FED_TRAY: tray,
    },
  }
}
