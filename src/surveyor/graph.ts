import { posix } from 'node:path'
import type { Link } from './facts.ts'

/** Who depends on whom, by file. */
export interface ModuleGraph {
  /** Links of each file to others of the repository, one for each target, in order of first mention. */
  out: ReadonlyMap<string, readonly Link[]>
  /** Files that depend on a file, sorted. */
  dependents: ReadonlyMap<string, readonly string[]>
  /** External packages with the files that use them, sorted. */
  external: ReadonlyMap<string, readonly string[]>
  /** What the tests within a file import, by file. */
  byInnerTests: ReadonlyMap<string, readonly string[]>
}

/** Collects links into a graph: one edge for each pair, whose mode is the strongest of its links. */
export function buildGraph(links: ReadonlyMap<string, readonly Link[]>): ModuleGraph {
  const strength = ['reference', 'declare', 'type', 'lazy', 'load']
  const out = new Map<string, Link[]>()
  const dependents = new Map<string, Set<string>>()
  const external = new Map<string, Set<string>>()
  const byInnerTests = new Map<string, Set<string>>()
  for (const [path, found] of links) {
    const edges = new Map<string, Link>()
    for (const link of found) {
      if (link.external !== undefined)
        external.set(link.external, (external.get(link.external) ?? new Set()).add(path))
      if (link.to === undefined) continue
      if (link.mode === 'test') {
        byInnerTests.set(path, (byInnerTests.get(path) ?? new Set()).add(link.to))
        continue
      }
      const known = edges.get(link.to)
      if (known === undefined) edges.set(link.to, { ...link })
      else {
        known.names = [...new Set([...(known.names ?? []), ...(link.names ?? [])])]
        if (strength.indexOf(link.mode) > strength.indexOf(known.mode)) known.mode = link.mode
      }
      dependents.set(link.to, (dependents.get(link.to) ?? new Set()).add(path))
    }
    out.set(path, [...edges.values()])
  }
  const sorted = (sets: Map<string, Set<string>>): Map<string, string[]> =>
    new Map(
      [...sets].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, files]) => [key, [...files].toSorted()]),
    )
  return {
    out,
    dependents: sorted(dependents),
    external: sorted(external),
    byInnerTests: sorted(byInnerTests),
  }
}

/**
 * Strongly connected components with more than one node (Tarjan, without recursion: chains of imports are
 * as deep as repositories are old), each sorted, largest first.
 */
export function findCycles(nodes: readonly string[], next: (node: string) => readonly string[]): string[][] {
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const onStack = new Set<string>()
  const stack: string[] = []
  const components: string[][] = []
  const enter = (node: string): { node: string; targets: readonly string[]; at: number } => {
    order.set(node, order.size)
    low.set(node, order.size - 1)
    stack.push(node)
    onStack.add(node)
    return { node, targets: next(node), at: 0 }
  }
  for (const start of nodes) {
    if (order.has(start)) continue
    const calls = [enter(start)]
    for (let call = calls.at(-1); call !== undefined; call = calls.at(-1)) {
      const target = call.targets[call.at++]
      if (target !== undefined) {
        if (!order.has(target)) calls.push(enter(target))
        else if (onStack.has(target))
          low.set(call.node, Math.min(low.get(call.node) ?? 0, order.get(target) ?? 0))
        continue
      }
      calls.pop()
      const parent = calls.at(-1)
      if (parent !== undefined)
        low.set(parent.node, Math.min(low.get(parent.node) ?? 0, low.get(call.node) ?? 0))
      if (low.get(call.node) !== order.get(call.node)) continue
      const component = stack.splice(stack.indexOf(call.node))
      for (const node of component) onStack.delete(node)
      if (component.length > 1) components.push(component.toSorted())
    }
  }
  return components.toSorted((a, b) => b.length - a.length || ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1))
}

/** A shortest cycle within a component, from the node that sorts first among those on one, its start repeated at the end. */
export function shortestCycle(
  component: readonly string[],
  next: (node: string) => readonly string[],
): string[] {
  const inside = new Set(component)
  let best: string[] = []
  for (const start of component.slice(0, 50)) {
    const before = new Map<string, string>()
    const queue = [start]
    for (let at = 0; at < queue.length; at++) {
      const node = queue[at] ?? start
      for (const target of next(node)) {
        if (target === start) {
          const path = [start]
          for (let up = node; up !== start; up = before.get(up) ?? start) path.unshift(up)
          path.unshift(start)
          if (best.length === 0 || path.length < best.length) best = path
          at = queue.length
          break
        }
        if (inside.has(target) && !before.has(target) && target !== start) {
          before.set(target, node)
          queue.push(target)
        }
      }
    }
    if (best.length === 3) break
  }
  return best
}

/** Folder of a path; `.` for the root. */
export const folderOf = (path: string): string => posix.dirname(path)
