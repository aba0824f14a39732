import { accessSync, constants, statSync } from 'node:fs'
import path from 'node:path'
import { UsageError } from '../errors/fed-error.ts'
import { printable } from '../errors/printable.ts'
import { EMBEDDED_AGENT } from '../protocol/config.ts'
import { hasCode } from '../storage/system-error.ts'
import { knownAgents } from './drivers/presets.ts'

/**
 * Absolute path of a program on the PATH, or undefined.
 * @param from folder from which a name with a slash is seen.
 * @param searched the folders of another PATH than this process's.
 */
export function findProgram(
  name: string,
  from: string = process.cwd(),
  searched: string | undefined = process.env.PATH,
): string | undefined {
  if (name.includes(path.sep)) {
    const file = path.resolve(from, name)
    return isExecutable(file) ? file : undefined
  }
  return (searched ?? '')
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
    if (hasCode(error, 'ENOENT', 'EACCES', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG')) return false
    throw error
  }
}

/** Names of the known agents that are installed. */
export function installedAgents(): string[] {
  return knownAgents.filter(({ program }) => findProgram(program) !== undefined).map(({ name }) => name)
}

/**
 * Absolute path of an agent's program.
 * @throws {UsageError} when there is no such program, with the names of those that are there.
 */
export function requireProgram(agent: string, name: string): string {
  const file = findProgram(name)
  if (file !== undefined) return file
  const installed = [EMBEDDED_AGENT, ...installedAgents()].join(', ')
  throw new UsageError(
    `agent '${printable(agent)}': there is no program '${printable(name)}' on the PATH; here are ${installed}`,
  )
}
