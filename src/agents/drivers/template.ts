import path from 'node:path'
import { unless } from '../../errors/unless.ts'
import { FedError } from '../../errors/fed-error.ts'
import { git } from '../../platform/git/git.ts'
import type { Assignment } from './driver.ts'
import type { Preset } from './presets.ts'
import { SERVER, toolsServer } from './tools-server.ts'

/** What stands in the templates of a preset, in braces. */
export type Values = Readonly<Record<string, string>>

/**
 * What the templates of a preset may name: `prompt`, `session`, `codebase`, `root`, `workspace`, `folder` (one of
 * the agent's own in the workspace, which git ignores), `writable` (what a writer needs beside its codebase, as a
 * list), and fed's tools: `mcp` as most agents are configured, and its parts as JSON or TOML want them.
 */
export function valuesFor(preset: Preset, assignment: Assignment, session: string): Values {
  const { prompt, root, workspace, codebase } = assignment
  const { command, args, env } = toolsServer(assignment)
  const table = Object.entries(env).map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
  return {
    prompt,
    session,
    codebase,
    root,
    workspace,
    folder: path.join(workspace, '.fed', preset.name),
    // asked only by who names it
    get writable() {
      return JSON.stringify([path.join(root, '.fed'), ...repositoryFolders(codebase)])
    },
    mcp: JSON.stringify({ mcpServers: { [SERVER]: { command, args, env } } }),
    'mcp.command': JSON.stringify(command),
    'mcp.args': JSON.stringify(args),
    'mcp.words': JSON.stringify([command, ...args]),
    'mcp.env': JSON.stringify(env),
    'mcp.table': `{ ${table.join(', ')} }`,
    'mcp.line': [command, ...args].join(' '),
  }
}

/** Where a commit writes; not the whole of it, because sandboxes keep hooks and configuration from being written. */
function repositoryFolders(codebase: string): string[] {
  const folder = (which: string) => git(codebase, 'rev-parse', '--path-format=absolute', which)
  return (
    unless(FedError, () => {
      const [own, common] = [folder('--git-dir'), folder('--git-common-dir')]
      const parts = ['objects', 'refs', 'logs'].map((name) => path.join(common, name))
      // of the repository's first work tree the own folder is the whole
      return own === common ? parts : [own, ...parts]
    }) ?? []
  )
}

/** A text with the values in place of their names; a value is never read as a template itself. */
export function filled(template: string, values: Values): string {
  return template.replace(/\{([a-z.]+)\}/g, (whole, name: string) => values[name] ?? whole)
}

/** The same for the values of a record. */
export function filledRecord(
  templates: Readonly<Record<string, string>> | undefined,
  values: Values,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(templates ?? {}).map(([name, template]) => [name, filled(template, values)]),
  )
}
