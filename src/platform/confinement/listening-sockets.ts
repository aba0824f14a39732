import { readFileSync } from 'node:fs'
import { unless } from '../../errors/unless.ts'
import { isSystemError } from '../storage/system-error.ts'
import { isWithin, real, type Rule } from './walls.ts'

/** What the kernel's list says of a socket on which somebody listens. */
const acceptsConnections = 0x1_00_00

/** Paths of sockets on which programs of this machine listen, by the kernel's list. */
function listening(list: string): string[] {
  return list.split('\n').flatMap((line) => {
    // number, references, protocol, flags, type, state, inode, path
    const [, flags, place] = /^\S+ \S+ \S+ (\S+) \S+ \S+ +\d+ (\/.*)$/.exec(line) ?? []
    return place !== undefined && (Number.parseInt(flags ?? '', 16) & acceptsConnections) !== 0 ? [place] : []
  })
}

/**
 * Rules that take away the sockets which others would leave in sight: a folder that can only be read stops nobody
 * from connecting to what lies in it. Those that begin to listen later are not among them.
 */
export function socketRules(
  rules: readonly Rule[],
  list: string = unless(isSystemError, () => readFileSync('/proc/net/unix', 'utf8')) ?? '',
): Rule[] {
  const covered = rules.map((rule) => ({ ...rule, at: real(rule.at) ?? rule.at }))
  const isInSight = (place: string) => {
    const above = covered
      .filter(({ at }) => isWithin(place, at))
      .reduce<Rule | undefined>(
        (deepest, rule) => (deepest && deepest.at.length > rule.at.length ? deepest : rule),
        undefined,
      )
    if (above === undefined) return true
    return (
      above.at !== place &&
      (above.kind === 'read' || above.kind === 'write') &&
      (above.from ?? above.at) === above.at
    )
  }
  return [...new Set(listening(list).flatMap((place) => real(place) ?? []))]
    .filter(isInSight)
    .map((at): Rule => ({ kind: 'nothing', at }))
}
