import { realpathSync } from 'node:fs'
import { unless } from '../../errors/unless.ts'
import type { Limits } from '../process/command.ts'
import { isSystemError } from '../storage/system-error.ts'

/** What lies at a place inside: the deepest rule above a path decides of it, and of two for one place the later. */
export interface Rule {
  /**
   * `read`: what is there outside, read-only; `write`: the same, to be written; `empty`: an empty folder of the
   * process's own, which is gone with it; `nothing`: an empty file.
   */
  readonly kind: 'read' | 'write' | 'empty' | 'nothing'
  /** Absolute path inside. */
  readonly at: string
  /** Absolute path of what lies there, outside; without it `at` itself. */
  readonly from?: string
}

/** The walls around a process: all of the file system read-only, but for the rules. */
export interface Walls {
  readonly rules: readonly Rule[]
  /** All of its environment. */
  readonly env: Readonly<Record<string, string>>
  /** `none`: it reaches nothing but itself; `host`: what its machine reaches; else what a proxy lets through. */
  readonly network: 'none' | 'host' | WayOut
  /** Its `bytes` are also the size of each folder of its own that is gone with it. */
  readonly limits: Limits
}

/** A proxy outside of the walls, which is all that is reached of a network. */
export interface WayOut {
  /** Path of the socket at which it listens, or on macOS its port of 127.0.0.1. */
  readonly proxy: string | number
  /** `host:port` of what it reaches of this machine's own, each found at the same port of 127.0.0.1 inside. */
  readonly forwarded: readonly string[]
}

/** Folders in which every program of a machine leaves what others may use: sockets, locks, files of a moment. */
export const sharedFolders: readonly string[] = ['/tmp', '/var/tmp', '/run', '/var/run', '/dev/shm']

/** Rules in the order in which they are laid over each other: a folder before what lies in it. */
export function inOrder(rules: readonly Rule[]): Rule[] {
  const last = new Map(rules.map((rule) => [rule.at, rule]))
  return [...last.values()].toSorted((a, b) => depth(a.at) - depth(b.at))
}

function depth(place: string): number {
  return place === '/' ? 0 : place.split('/').length
}

/** Whether a path is a folder or lies below it; both absolute and plain. */
export function isWithin(place: string, folder: string): boolean {
  return place === folder || place.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}

/** A path with no symbolic link in it, which is how things are mounted; undefined for what is not there. */
export function real(place: string): string | undefined {
  return unless(isSystemError, () => realpathSync(place))
}
