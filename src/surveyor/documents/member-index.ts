import type { SymbolFact } from '../facts.ts'
import type { Survey } from '../survey.ts'

/** Names that stand for something of the language or the platform in most texts. */
const PLATFORM = new Set([
  ...Object.getOwnPropertyNames(globalThis),
  ...'Node Element Document Window Request Response Headers Event Buffer Process Http Https Console Context List Option Result Vec String Self Class Module Array Object'.split(
    ' ',
  ),
])

/** What the code declares, and which words stand in it at all. */
export class MemberIndex {
  readonly #survey: Survey
  readonly #declared = new Map<string, { path: string; symbol: SymbolFact }[]>()
  #words: Set<string> | undefined

  constructor(survey: Survey) {
    this.#survey = survey
    for (const { path, role, facts } of survey.files)
      for (const symbol of facts.code?.symbols ?? [])
        if (role === 'source')
          this.#declared.set(symbol.name, [...(this.#declared.get(symbol.name) ?? []), { path, symbol }])
  }

  /**
   * Where a type of this project that has no such member is declared, and where the member is now; undefined where
   * the type is not known for sure, inherits from elsewhere, or the word stands anywhere in the repository's code.
   */
  missing(owner: string, member: string): string | undefined {
    const owners = (this.#declared.get(owner) ?? []).filter(
      ({ symbol }) =>
        symbol.owner === undefined &&
        /^(?:class|interface|struct|trait|enum|object|module)$/.test(symbol.kind),
    )
    const [only] = owners
    if (
      only === undefined ||
      owners.length > 1 ||
      PLATFORM.has(owner) ||
      this.#inherits(only.path, only.symbol)
    )
      return undefined
    if (this.#allWords().has(member)) return undefined
    return only.path
  }

  /** Where the one symbol of a name is declared that a file, although it is said to, does not even mention. */
  misplaced(name: string, file: string): string | undefined {
    const code = this.#survey.byPath.get(file)?.facts.code
    const declared = this.#declared.get(name) ?? []
    const [only] = declared
    if (code === undefined || only === undefined || declared.length > 1 || only.path === file)
      return undefined
    return new RegExp(`\\b${name}\\b`).test(this.#survey.source(file))
      ? undefined
      : `${only.path}:${only.symbol.line}`
  }

  /** Whether a type may have members that its own text does not show. */
  #inherits(path: string, { line, end }: SymbolFact): boolean {
    const head = this.#survey
      .source(path)
      .split(/\r?\n/)
      .slice(line - 1, Math.min(end, line + 6))
      .join(' ')
    return (
      /\b(?:extends|implements|include|mixin)\b/.test(head.split('{')[0] ?? '') ||
      /^[^{]*\bclass\s+\w+\s*(?:\((?!\s*(?:object)?\s*\))|[:<])/.test(head) ||
      /\bderive\(|\bstruct\s*\{/.test(head)
    )
  }

  #allWords(): ReadonlySet<string> {
    if (this.#words !== undefined) return this.#words
    this.#words = new Set<string>()
    for (const { path, role } of this.#survey.files)
      if (role !== 'documentation')
        for (const [word] of this.#survey.source(path).matchAll(/[A-Za-z_]\w*/g)) this.#words.add(word)
    return this.#words
  }
}
