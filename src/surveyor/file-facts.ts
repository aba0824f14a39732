import { leftOutByContent } from './classify.ts'
import { readMentions } from './documents/read-mentions.ts'
import type { FileFacts } from './facts.ts'
import type { SourceParser } from './languages/grammars.ts'
import { languageOf } from './languages/index.ts'
import { isManifest } from './manifests/index.ts'
import { readDocument } from './read-document.ts'

/** Interpreter of a `#!` line: `#!/usr/bin/env -S node --x` is `node`. */
function shebangOf(text: string): string | undefined {
  const words = /^#!\s*(\S+)(?:[ \t]+(.*))?/.exec(text.slice(0, 200))
  if (words === null) return undefined
  const program = words[1]?.split('/').at(-1)
  if (program !== 'env') return program
  return (words[2] ?? '')
    .split(/\s+/)
    .find((word) => word !== '' && !word.startsWith('-') && !word.includes('='))
}

/** Facts of one file from its bytes. `parser` is asked for only when the file is source code. */
export async function readFacts(
  path: string,
  bytes: Buffer,
  parser: () => Promise<SourceParser>,
): Promise<FileFacts> {
  const leftOut = leftOutByContent(path, bytes)
  if (leftOut !== undefined) return { bytes: bytes.length, lines: 0, leftOut }
  const text = bytes.toString('utf8')
  const facts: FileFacts = { bytes: bytes.length, lines: countLines(text) }
  const shebang = shebangOf(text)
  if (shebang !== undefined) facts.shebang = shebang
  const language = languageOf(path, shebang)
  if (language !== undefined) {
    const loaded = await parser()
    await loaded.load(language, path)
    facts.code = loaded.parse(language, path, text)
  } else if (isManifest(path)) return facts
  else if (/\.(md|mdx|markdown|rst|adoc|txt)$/i.test(path) || /(^|\/)README$/i.test(path))
    Object.assign(facts, readDocument(path, text))
  if (/\.(md|markdown)$/i.test(path)) facts.document = readMentions(text)
  return facts
}

function countLines(text: string): number {
  if (text === '') return 0
  let lines = text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
  return lines
}
