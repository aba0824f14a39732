// The part of Mermaid's flowcharts that documents about code use: boxes with labels, groups, and arrows with
// labels. Mermaid itself is 84 MB and draws in a browser only; whatever is not read here is shown as its source.

export interface FlowNode {
  readonly id: string
  readonly label: string
  readonly shape: 'box' | 'round' | 'choice'
  /** Id of the group that holds it. */
  readonly group: string | undefined
}

export interface FlowGroup {
  readonly id: string
  readonly label: string
  /** Id of the group around it. */
  readonly group: string | undefined
}

interface FlowEdge {
  /** Ids of boxes or of groups. */
  readonly from: string
  readonly to: string
  readonly label: string
  readonly isThick: boolean
}

export interface Flowchart {
  readonly direction: 'RIGHT' | 'LEFT' | 'DOWN' | 'UP'
  readonly nodes: readonly FlowNode[]
  readonly groups: readonly FlowGroup[]
  readonly edges: readonly FlowEdge[]
}

const directions: Readonly<Record<string, Flowchart['direction']>> = {
  LR: 'RIGHT',
  RL: 'LEFT',
  TD: 'DOWN',
  TB: 'DOWN',
  BT: 'UP',
}

/** An id ends where an arrow begins: `a-->b`. */
const idText = /^[\p{L}\p{N}_]+(?:[./-](?![-.>=])[\p{L}\p{N}_]+)*/u
/** How a label is opened and closed, the longer ones first. */
const brackets: readonly (readonly [string, string, FlowNode['shape']])[] = [
  ['[[', ']]', 'box'],
  ['[(', ')]', 'round'],
  ['([', '])', 'round'],
  ['((', '))', 'round'],
  ['{{', '}}', 'choice'],
  ['[', ']', 'box'],
  ['(', ')', 'round'],
  ['{', '}', 'choice'],
]
/** `-->`, `---`, `==>`, `-.->`, each with a label between bars behind it. */
const arrow = /^<?(?:-{2,}|={2,}|-\.+-)[>ox]?(?:\s*\|([^|]*)\|)?/
/** `-- label -->`, `== label ==>`, `-. label .->`. */
const arrowAround = /^(?:--|==|-\.)\s+(\S(?:[^|]*?\S)?)\s+(?:-{2,}|={2,}|\.+-)[>ox]?/
const ignored = /^(?:%%|classDef\b|class\b|style\b|linkStyle\b|click\b|direction\b|accTitle\b|accDescr\b|$)/

/** Reads a flowchart; undefined where any line of it is not understood, so that nothing is left out in silence. */
export function readFlowchart(source: string): Flowchart | undefined {
  const [head = '', ...lines] = source
    .split('\n')
    .map((line) => line.replace(/;\s*$/, '').trim())
    .filter((line) => !ignored.test(line))
  const [, way] = /^(?:flowchart|graph)\s+(\w\w)$/.exec(head) ?? []
  const direction = directions[way ?? '']
  if (direction === undefined) return undefined
  const nodes = new Map<string, FlowNode>()
  const groups = new Map<string, FlowGroup>()
  const edges: FlowEdge[] = []
  /** Ids of the groups that are open, the innermost last. */
  const open: string[] = []
  for (const line of lines) {
    if (line === 'end') {
      if (open.pop() === undefined) return undefined
      continue
    }
    const [isGroup, words = ''] = /^subgraph(?:\s+(.*))?$/.exec(line) ?? []
    if (isGroup !== undefined) {
      const { name = `${groups.size + 1}`, label } = readGroup(words)
      const id = `group ${name}`
      // two of one name would be one in the other's place
      if (groups.has(id)) return undefined
      groups.set(id, { id, label, group: open.at(-1) })
      open.push(id)
      continue
    }
    const read = readStatement(line, open.at(-1))
    if (read === undefined) return undefined
    for (const node of read.nodes) {
      const before = nodes.get(node.id)
      if (before === undefined || node.isLabelled)
        nodes.set(node.id, { ...node, group: before?.group ?? node.group })
    }
    edges.push(...read.edges)
  }
  if (open.length > 0) return undefined
  // an arrow may name a group, also before that is declared
  const named = (id: string) => (groups.has(`group ${id}`) ? `group ${id}` : id)
  for (const id of nodes.keys()) if (groups.has(`group ${id}`)) nodes.delete(id)
  const joined = edges.map((edge) => ({ ...edge, from: named(edge.from), to: named(edge.to) }))
  const parentOf = (id: string) => (groups.get(id) ?? nodes.get(id))?.group
  // an arrow from a group to what is in it has no way of its own
  if (joined.some(({ from, to }) => isWithin(from, to, parentOf) || isWithin(to, from, parentOf)))
    return undefined
  return { direction, nodes: [...nodes.values()], groups: [...groups.values()], edges: joined }
}

function isWithin(inner: string, outer: string, parentOf: (id: string) => string | undefined): boolean {
  for (let at = parentOf(inner); at !== undefined; at = parentOf(at)) if (at === outer) return true
  return false
}

/** `id [Label]`, `id["Label"]`, `id`, `"Label"` or several words. */
function readGroup(words: string): { name: string | undefined; label: string } {
  const [, name, label] = /^([\p{L}\p{N}_.-]+)\s*\[(.*)\]$/u.exec(words) ?? []
  if (name !== undefined) return { name, label: unquoted(label ?? '') }
  return { name: /^[\p{L}\p{N}_.-]+$/u.exec(words)?.[0], label: unquoted(words) }
}

interface Statement {
  readonly nodes: readonly (FlowNode & { readonly isLabelled: boolean })[]
  readonly edges: readonly FlowEdge[]
}

/** Boxes joined by arrows: `a["A"] -->|uses| b & c --> d`. */
function readStatement(line: string, group: string | undefined): Statement | undefined {
  const nodes: (FlowNode & { isLabelled: boolean })[] = []
  const edges: FlowEdge[] = []
  let rest = line
  let before: readonly string[] = []
  let link: { readonly label: string; readonly isThick: boolean } | undefined
  for (;;) {
    const here: string[] = []
    do {
      const node = readNode(rest.replace(/^&?\s*/, ''))
      if (node === undefined) return undefined
      const { rest: behind, ...read } = node
      rest = behind
      nodes.push({ ...read, group })
      here.push(read.id)
    } while (rest.startsWith('&'))
    for (const from of link === undefined ? [] : before)
      for (const to of here) edges.push({ from, to, ...(link ?? { label: '', isThick: false }) })
    if (rest === '') return { nodes, edges }
    const [whole, label = ''] = arrowAround.exec(rest) ?? arrow.exec(rest) ?? ['']
    if (whole === '') return undefined
    link = { label: unquoted(label), isThick: whole.startsWith('==') }
    rest = rest.slice(whole.length).trimStart()
    before = here
  }
}

/** One box at the beginning of a text, and what stands behind it. */
function readNode(
  text: string,
): (Pick<FlowNode, 'id' | 'label' | 'shape'> & { isLabelled: boolean; rest: string }) | undefined {
  const [id] = idText.exec(text) ?? []
  if (id === undefined) return undefined
  const behind = text.slice(id.length)
  const bracket = brackets.find(([open]) => behind.startsWith(open))
  if (bracket === undefined) {
    const rest = behind.replace(/^:::[\w-]+/, '').trimStart()
    return { id, label: id, shape: 'box', isLabelled: false, rest }
  }
  const [open, close, shape] = bracket
  const inner = behind.slice(open.length).trimStart()
  // within quotes a bracket is a character like others
  const quoted = inner.startsWith('"') ? inner.indexOf('"', 1) : -1
  const end = inner.indexOf(close, quoted + 1)
  if (end < 0) return undefined
  const rest = inner
    .slice(end + close.length)
    .replace(/^:::[\w-]+/, '')
    .trimStart()
  return { id, label: unquoted(inner.slice(0, end)), shape, isLabelled: true, rest }
}

/** A label without its quotes, line breaks and Mermaid's entity codes (`#35;`, `#quot;`) as what they mean. */
function unquoted(text: string): string {
  return text
    .trim()
    .replace(/^"([\s\S]*)"$/, '$1')
    .replaceAll(/<br\s*\/?>/gi, '\n')
    .replaceAll(/#(\d{1,6});/g, (whole, code: string) => {
      const point = Number(code)
      return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : whole
    })
    .replaceAll('#quot;', '"')
    .trim()
}
