import type { CodeFacts } from '../../src/surveyor/facts.ts'
import { readFacts } from '../../src/surveyor/file-facts.ts'
import { SourceParser } from '../../src/surveyor/languages/grammars.ts'

let parser: Promise<SourceParser> | undefined

export async function read(file: string, source: string): Promise<CodeFacts> {
  const facts = await readFacts(file, Buffer.from(source), () => (parser ??= SourceParser.start()))
  if (facts.code === undefined) throw new Error(`${file} was not parsed`)
  return facts.code
}

export const exported = (facts: CodeFacts): string[] =>
  facts.symbols
    .filter((symbol) => symbol.exported)
    .map(({ owner, name, kind }) => `${kind} ${owner === undefined ? '' : `${owner}.`}${name}`)
export const imported = (facts: CodeFacts): string[] =>
  facts.imports.map(({ specifier, mode }) => `${mode} ${specifier}`)
