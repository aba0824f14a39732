import type { Node } from '@vscode/tree-sitter-wasm'
import type { CodeFacts, ImportFact, ImportMode, SymbolFact } from '../facts.ts'
import { firstParagraph } from './doc-comment.ts'

/** The named children of a node; the grammar's nulls never occur here, the type only allows them. */
export function childrenOf(node: Node | null): Node[] {
  return node === null ? [] : node.namedChildren.filter((child) => child !== null)
}

/** All descendants of the given types, in source order. */
export function descendants(node: Node, types: string | string[]): Node[] {
  return node.descendantsOfType(types).filter((found) => found !== null)
}

/** Line of a node, from 1. */
const lineOf = (node: Node): number => node.startPosition.row + 1

/** Text of a field, empty where the node has no such field. */
export const fieldText = (node: Node, field: string): string => node.childForFieldName(field)?.text ?? ''

/** Whether a node stands inside one of the given types. */
export function isInside(node: Node, types: ReadonlySet<string>): boolean {
  for (let up = node.parent; up !== null; up = up.parent) if (types.has(up.type)) return true
  return false
}

const isComment = (node: Node): boolean => node.type.endsWith('comment')
const SKIPPED_BEFORE = new Set(['attribute_item', 'decorator', 'attribute_list'])

// Ruby's grammar keeps the comments at the top of a body outside of it.
const nodeBefore = (node: Node): Node | null =>
  node.previousNamedSibling ??
  (node.parent?.type === 'body_statement' ? node.parent.previousNamedSibling : null)

/**
 * The comment directly above a node (no blank line between), as first line and plain first paragraph.
 * Attributes and decorators between the comment and the node are passed over.
 */
function docAbove(node: Node): { from: number; doc?: string } {
  const parts: string[] = []
  let from = node.startPosition.row
  for (let before = nodeBefore(node); before !== null; before = nodeBefore(before)) {
    const endRow = before.endPosition.column === 0 ? before.endPosition.row - 1 : before.endPosition.row
    if (endRow < from - 2) break
    // Some leave a blank line below a doc comment; below any other it means that the comment stands alone.
    if (endRow === from - 2 && (parts.length > 0 || !before.text.startsWith('/**'))) break
    if (SKIPPED_BEFORE.has(before.type)) {
      from = before.startPosition.row
      continue
    }
    // A comment that trails code on its own line belongs to that code.
    const earlier = before.previousNamedSibling
    if (
      !isComment(before) ||
      (earlier !== null &&
        !isComment(earlier) &&
        earlier.endPosition.row === before.startPosition.row &&
        earlier.endPosition.column > 0)
    )
      break
    parts.unshift(before.text.trimEnd())
    from = before.startPosition.row
  }
  return { from: from + 1, doc: firstParagraph(parts.join('\n')) }
}

/** First paragraph of the comments that open a file, passing over licences, shebangs and tool switches. */
function docOfFile(root: Node): string | undefined {
  let run: Node[] = []
  const paragraph = (): string | undefined => firstParagraph(run.map((node) => node.text).join('\n'))
  const OPENERS = new Set(['hash_bang_line', 'php_tag', 'package_clause', 'preproc_ifdef', 'preproc_if'])
  for (const node of childrenOf(root).slice(0, 40)) {
    const previous = run.at(-1)
    const follows = previous !== undefined && node.startPosition.row <= previous.endPosition.row + 1
    if (isComment(node) && (follows || run.length === 0)) {
      run.push(node)
      continue
    }
    // A block that touches the code below it is that code's doc, unless that code is only imports; but a few
    // words above imports are a label for them.
    const labels =
      isPreamble(node) &&
      /^(\/\/(?!!)|#)/.test(run[0]?.text ?? '') &&
      run.map(({ text }) => text).join(' ').length < 40
    const touches = follows && !isComment(node) && !OPENERS.has(node.type) && (!isPreamble(node) || labels)
    if (run.length > 0 && !touches) {
      const doc = paragraph()
      if (doc !== undefined) return doc
    }
    if (!isComment(node) && !OPENERS.has(node.type)) return undefined
    run = isComment(node) ? [node] : []
  }
  return run.length > 0 ? paragraph() : undefined
}

const isPreamble = (node: Node): boolean =>
  /^(import|using|use_|namespace|package|preproc_include|future_import|extern_crate)/.test(node.type) ||
  (node.type === 'expression_statement' && /^['"]use strict/.test(node.text)) ||
  (node.type === 'call' && /^require/.test(node.text))

/** Takes down what one file holds while its tree is walked. */
export class Found {
  readonly #root: Node
  readonly #imports: ImportFact[] = []
  readonly symbols: SymbolFact[] = []

  constructor(root: Node) {
    this.#root = root
  }

  import(node: Node, specifier: string, mode: ImportMode = 'load', names: string[] = []): void {
    this.#imports.push({ specifier, line: lineOf(node), mode, ...(names.length > 0 && { names }) })
  }

  /** An import whose target others may name through this file, as `name`; `*` for all that it holds. */
  reexport(node: Node, specifier: string, name: string): void {
    this.#imports.push({ specifier, line: lineOf(node), mode: 'load', passesOn: name })
  }

  /** A symbol at a node; `outer` is the statement that carries the doc comment (an export, a decorator). */
  symbol(node: Node, fact: Omit<SymbolFact, 'from' | 'line' | 'end'>, outer: Node = node): void {
    const { from, doc } = docAbove(outer)
    const { row, column } = outer.endPosition
    const lines = { from, line: lineOf(node), end: column === 0 ? row : row + 1 }
    this.symbols.push({ doc, ...fact, ...lines })
  }

  /** All of it in the order of its lines, each symbol of one name and line once. */
  facts(more: Partial<CodeFacts> = {}): CodeFacts {
    const seen = new Set<string>()
    return {
      imports: this.#imports.toSorted((a, b) => a.line - b.line),
      symbols: this.symbols.filter(({ owner = '', name, line }) => {
        const key = `${owner}\0${name}\0${line}`
        return !seen.has(key) && seen.add(key)
      }),
      doc: docOfFile(this.#root),
      ...more,
    }
  }

  /** Of a language whose files hold one type as a rule: what is said of that says what the file is for. */
  get docOfFirst(): string | undefined {
    return docOfFile(this.#root) ?? this.symbols.find(({ owner }) => owner === undefined)?.doc
  }
}

/** The distinct names that match a pattern in the code itself: comments and strings are blanked first. */
export function namesUsed(
  root: Node,
  source: string,
  pattern: RegExp,
  blanked: string[],
  alsoBlanked: readonly Node[] = [],
): string[] {
  let code = ''
  let at = 0
  const found = descendants(root, blanked)
  const inOrder =
    alsoBlanked.length === 0
      ? found
      : [...found, ...alsoBlanked].toSorted((a, b) => a.startIndex - b.startIndex || b.endIndex - a.endIndex)
  for (const node of inOrder) {
    if (node.startIndex < at) continue
    code += `${source.slice(at, node.startIndex)} `
    at = node.endIndex
  }
  code += source.slice(at)
  return [...new Set(Array.from(code.matchAll(pattern), (match) => match[1] ?? match[0]))].toSorted()
}
