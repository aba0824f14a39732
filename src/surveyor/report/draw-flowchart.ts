import { posix } from 'node:path'
import { narrower } from './picture-width.ts'
import { fence } from './write-markdown.ts'

export interface DiagramNode {
  key: string
  label: string
  /** Title of the box that holds it; empty for none. */
  group: string
  /** Drawn to stand out. */
  marked?: boolean
}

export interface DiagramEdge {
  from: string
  to: string
  label?: string
  /** Drawn thick. */
  strong?: boolean
}

/** Text as Mermaid shows it inside a quoted label, where `"`, `#`, `;`, backticks, `&` and angle brackets mean something. */
export const labelText = (text: string): string =>
  text
    .replace(/\p{Cc}/gu, ' ')
    .replace(/[#"`<>&;\\]/g, (mark) => `#${mark.codePointAt(0) ?? 0};`)
    // A label that begins like a list is refused as “unsupported markdown”.
    .replace(
      /^(\d+)([.)])(?=\s)|^([-*+])(?=\s)/,
      (_, digits: string | undefined, dot: string | undefined, bullet: string | undefined) =>
        `${digits ?? ''}#${(dot ?? bullet ?? '').codePointAt(0) ?? 0};`,
    )

/** Less than Mermaid's own, so that more fits in the width of a page. */
const SPACING = '%%{init: {"flowchart": {"nodeSpacing": 25, "rankSpacing": 45}}}%%'

/** A flowchart with safe ids and quoted labels, nodes in boxes by group, in the order given, as narrow as it gets. */
export function flowchart(given: readonly DiagramNode[], edges: readonly DiagramEdge[]): string {
  // A box around everything says nothing.
  const isBoxed = new Set(given.map(({ group }) => group)).size > 1
  const nodes = isBoxed ? given : given.map((node) => ({ ...node, group: '' }))
  const ids = new Map(nodes.map(({ key }, at) => [key, `n${at}`]))
  const lines = [SPACING, `flowchart ${narrower(nodes, edges)}`]
  const groups = [...new Set(nodes.map(({ group }) => group))]
  for (const [at, group] of groups.entries()) {
    const members = nodes
      .filter((node) => node.group === group)
      .map(
        ({ key, label, marked }) =>
          `${ids.get(key) ?? ''}["${labelText(label)}"]${marked === true ? ':::marked' : ''}`,
      )
    if (group === '') lines.push(...members.map((line) => `  ${line}`))
    else
      lines.push(`  subgraph g${at}["${labelText(group)}"]`, ...members.map((line) => `    ${line}`), '  end')
  }
  for (const { from, to, label, strong } of edges) {
    const [a, b] = [ids.get(from), ids.get(to)]
    if (a !== undefined && b !== undefined)
      lines.push(`  ${a} ${strong === true ? '==>' : '-->'}${label === undefined ? '' : `|${label}|`} ${b}`)
  }
  if (nodes.some(({ marked }) => marked === true)) lines.push('  classDef marked stroke-width:3px')
  return fence('mermaid', lines.join('\n'))
}

/** Labels within a folder: the file's name. */
export const nodeOf = (path: string, marked = false): DiagramNode => ({
  key: path,
  label: posix.basename(path),
  group: posix.dirname(path) === '.' ? '' : posix.dirname(path),
  marked,
})
