import { accessSync, constants, statSync } from 'node:fs'
import path from 'node:path'
import { hasCode } from '../storage/system-error.ts'

/** A headless coding agent that fed knows how to call. */
export interface KnownAgent {
  readonly name: string
  /** Its program on the PATH. */
  readonly program: string
  /** Arguments of a headless run; `{prompt}` stands for the prompt. */
  readonly args: readonly string[]
  /** The environment variable by which it takes a temperature, which no agent's arguments can tell. */
  readonly temperatureVariable?: string
}

/** The option by which every known agent takes the name of a model. */
export const modelOption = '--model'

export const knownAgents: readonly KnownAgent[] = [
  {
    name: 'claude',
    program: 'claude',
    // headless it asks nobody: what is not allowed here is refused, and then it could not call fed
    args: [
      ...['-p', '{prompt}', '--output-format', 'stream-json', '--verbose'],
      ...['--allowedTools', 'Bash(fed:*),Bash(git:*),Read,Grep,Glob,Edit,Write'],
    ],
  },
  {
    name: 'copilot',
    program: 'copilot',
    args: ['-p', '{prompt}', '--output-format', 'json', '--allow-all-tools'],
  },
  { name: 'codex', program: 'codex', args: ['exec', '--json', '-s', 'workspace-write', '{prompt}'] },
  { name: 'gemini', program: 'gemini', args: ['-p', '{prompt}', '-o', 'stream-json'] },
  { name: 'opencode', program: 'opencode', args: ['run', '{prompt}', '--format', 'json'] },
  {
    name: 'cursor',
    program: 'cursor',
    args: ['agent', '-p', '{prompt}', '--output-format', 'stream-json', '--trust'],
  },
  {
    name: 'goose',
    program: 'goose',
    args: ['run', '-t', '{prompt}', '--output-format', 'stream-json'],
    temperatureVariable: 'GOOSE_TEMPERATURE',
  },
]

/** Absolute path of a program on the PATH, or undefined. */
export function findProgram(name: string, searchPath: string = process.env.PATH ?? ''): string | undefined {
  if (name.includes(path.sep)) return isExecutable(path.resolve(name)) ? path.resolve(name) : undefined
  return searchPath
    .split(path.delimiter)
    .filter((dir) => path.isAbsolute(dir))
    .map((dir) => path.join(dir, name))
    .find(isExecutable)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'EACCES', 'ENOTDIR', 'ELOOP')) return false
    throw error
  }
}

/** Names of the known agents that are installed. */
export function installedAgents(): string[] {
  return knownAgents.filter(({ program }) => findProgram(program) !== undefined).map(({ name }) => name)
}
