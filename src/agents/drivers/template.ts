import path from 'node:path'
import { unless } from '../../errors/unless.ts'
import { FedError } from '../../errors/fed-error.ts'
import { git } from '../../platform/git/git.ts'
import { shellWord } from '../../protocol/command-words.ts'
import type { Assignment } from './driver.ts'
import type { Preset } from './presets.ts'
import { SERVER, toolsServer } from './tools-server.ts'

/** The values that replace names in braces in a preset's templates, by name. */
export type Values = Readonly<Record<string, string>>

/**
 * The values that a preset's templates may name: `prompt`, `session`, `codebase`, `root`, `workspace`,
 * `folder` (the agent's own folder in the workspace, which git ignores), `writable` (JSON list of the folders
 * that a writer needs beside the codebase), and fed's tools server: `mcp` (JSON as most agents take it),
 * `mcp.command` (JSON string), `mcp.args`, `mcp.words` (JSON lists, without and with the command), `mcp.env`
 * and `mcp.table` (its environment as JSON and as a TOML table), `mcp.line` (the environment and the command as
 * words of a shell). `{role}` and
 * `{tools}` are no values: `exec-json.ts` replaces them.
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
    // a getter, because it asks git: only templates that name it need that
    get writable() {
      return JSON.stringify([path.join(root, '.fed'), ...repositoryFolders(codebase)])
    },
    mcp: JSON.stringify({ mcpServers: { [SERVER]: { command, args, env } } }),
    'mcp.command': JSON.stringify(command),
    'mcp.args': JSON.stringify(args),
    'mcp.words': JSON.stringify([command, ...args]),
    'mcp.env': JSON.stringify(env),
    'mcp.table': `{ ${table.join(', ')} }`,
    'mcp.line': [...Object.entries(env).map((pair) => pair.join('=')), command, ...args]
      .map(shellWord)
      .join(' '),
  }
}

/**
 * Folders of the repository that a commit writes to; empty when git cannot tell. Not all of `.git`: sandboxes
 * keep hooks and configuration read-only.
 */
function repositoryFolders(codebase: string): string[] {
  const folder = (which: string) => git(codebase, 'rev-parse', '--path-format=absolute', which)
  return (
    unless(FedError, () => {
      const [own, common] = [folder('--git-dir'), folder('--git-common-dir')]
      const parts = ['objects', 'refs', 'logs'].map((name) => path.join(common, name))
      // in the main work tree, its own folder is all of `.git`
      return own === common ? parts : [own, ...parts]
    }) ?? []
  )
}

/** A template with its names in braces replaced by the values; unknown names, and braces in values, stay. */
export function filled(template: string, values: Values): string {
  return template.replace(/\{([a-z.]+)\}/g, (whole, name: string) => values[name] ?? whole)
}

/** A record of templates, each filled in as by `filled`. */
export function filledRecord(
  templates: Readonly<Record<string, string>> | undefined,
  values: Values,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(templates ?? {}).map(([name, template]) => [name, filled(template, values)]),
  )
}
