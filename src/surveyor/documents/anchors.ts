import type { Token } from 'markdown-it'

/**
 * A heading or anchor by its letters and digits alone: how sites and GitHub make a name of a heading differs in
 * everything else.
 */
export const anchorKey = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]/gu, '')

/** Text of other files is put into such documents, headings and all. */
const INCLUDES =
  /@include|\{%-?\s*include|<!--\s*(?:include|embedme)|^::?include|\{\{[<%]|^import\s.+\sfrom\s/im

/** The anchors of a document; undefined where they cannot all be known. */
export function anchorsOf(text: string, tokens: readonly Token[]): string[] | undefined {
  if (INCLUDES.test(text)) return undefined
  const found = new Set<string>()
  for (const [at, { type }] of tokens.entries()) {
    const inline = type === 'heading_open' ? tokens[at + 1] : undefined
    if (inline === undefined) continue
    const words = (inline.children ?? []).map((child) =>
      /^(?:text|code_inline)$/.test(child.type) ? child.content : '',
    )
    const heading = words.join('')
    found
      .add(anchorKey(heading))
      .add(anchorKey(heading.replace(/:[\w+-]+:/g, '')))
      .add(anchorKey(inline.content))
    const given = /\{:?\s*#([\w-]+)/.exec(heading)?.[1]
    if (given !== undefined) found.add(anchorKey(given)).add(anchorKey(heading.replace(/\{.*\}/, '')))
  }
  for (const [, name] of text.matchAll(/\b(?:id|name)=["']?([^"'\s>]+)/g)) found.add(anchorKey(name ?? ''))
  for (const [, inner] of text.matchAll(/<h[1-6][^>]*>([\s\S]*?)<\/h[1-6]>/gi))
    found.add(anchorKey((inner ?? '').replace(/<[^>]+>/g, '')))
  return [...found].toSorted()
}
