import { posix } from 'node:path'
import type { SymbolFact } from '../facts.ts'
import type { Survey } from '../survey.ts'
import type { SurveyedFile } from '../surveyed-file.ts'
import { isVague } from './question.ts'
import { baseOf, nearness, partsOf, tokensOf, undoes } from './word-forms.ts'

/** A word that is looked up, and how telling it is. */
export interface Term {
  /** As the question has it. */
  word: string
  base: string
  /** Files that hold it, in any form of grammar. */
  files: number
  /** Rare words weigh more. */
  weight: number
}

export interface FoundSymbol {
  path: string
  symbol: SymbolFact
  score: number
}

export interface FoundFile {
  file: SurveyedFile
  score: number
  /** Lines, from 1, that hold a term, by its word. */
  lines: ReadonlyMap<string, readonly number[]>
}

/** What the words of a question lead to in a repository, best first. */
export interface Found {
  terms: Term[]
  files: FoundFile[]
  symbols: FoundSymbol[]
}

/** A place of a term in a text. */
interface Hit {
  line: number
  term: number
  near: number
}

/** How much of each term a text holds: as often as it stands there, each time by its nearness. */
type Held = readonly number[]

interface Read {
  file: SurveyedFile
  hits: Hit[]
  name: Held
  folders: Held
  doc: Held
}

/** Weights of the fields of a symbol: what something is called says most of what it does. */
const fields = { name: 4, owner: 1.5, doc: 2.5, file: 1.2, folders: 0.5 }

/** Looks the words of a question up in names, comments, bodies and prose, and follows calls to what does it. */
export function search(survey: Survey, searched: readonly SurveyedFile[], words: readonly string[]): Found {
  const bases = words.map((word) => tokensOf(word).join(' '))
  const held = holding(bases)
  const texts = searched.map((file): Read => ({
    file,
    hits: held.hits(survey.source(file.path)),
    name: held.text(posix.basename(file.path).replace(/\.[^.]+$/, '')),
    folders: held.text(posix.dirname(file.path)),
    doc: held.text(
      [file.facts.code?.doc ?? file.facts.title ?? '', ...(file.facts.headings ?? [])].join(' '),
    ),
  }))
  const terms = words.map((word, at): Term => {
    const files = texts.filter(
      ({ hits, name, folders }) =>
        hits.some(({ term, near }) => term === at && near === 1) || name[at] === 1 || folders[at] === 1,
    ).length
    const some = texts.filter(({ hits }) => hits.some(({ term }) => term === at)).length
    const weight = some === 0 ? 0 : Math.log(1 + (texts.length - some + 0.5) / (some + 0.5))
    const telling = some === 0 ? 0 : Math.max(weight, 0.2) * (isVague(word) ? 0.25 : 1)
    return { word, base: bases[at] ?? '', files, weight: telling }
  })
  const ranked = rankSymbols(texts, terms, held)
  const symbols = once(carried(survey, ranked))
  return { terms, files: rankFiles(texts, terms, symbols), symbols }
}

/** Finds terms in texts: what each word is near to is worked out once. */
function holding(bases: readonly string[]) {
  const known = new Map<string, readonly { term: number; near: number }[]>()
  const met = (word: string) => {
    const found = known.get(word)
    if (found !== undefined) return found
    const parts = partsOf(word).map(baseOf)
    const near = bases.flatMap((asked, term) => {
      const best = asked.includes(' ')
        ? Number(` ${parts.join(' ')} `.includes(` ${asked} `))
        : Math.max(0, ...parts.map((part) => nearness(asked, part)))
      return best > 0 ? [{ term, near: best }] : []
    })
    known.set(word, near)
    return near
  }
  const word = /[\p{L}\p{N}_$]+/gu
  return {
    hits(text: string): Hit[] {
      const hits: Hit[] = []
      let line = 1
      for (const row of text.split('\n')) {
        for (const [one] of row.matchAll(word))
          for (const { term, near } of met(one)) hits.push({ line, term, near })
        line += 1
      }
      return hits
    },
    text(text: string): number[] {
      const held = bases.map(() => 0)
      for (const [one] of text.matchAll(word))
        for (const { term, near } of met(one)) held[term] = Math.max(held[term] ?? 0, near)
      return held
    },
  }
}

function rankSymbols(
  texts: readonly Read[],
  terms: readonly Term[],
  held: ReturnType<typeof holding>,
): FoundSymbol[] {
  const whole = terms.reduce((sum, { weight }) => sum + weight, 0)
  const lengths = texts.flatMap(({ file }) =>
    (file.facts.code?.symbols ?? []).map(({ line, end }) => end - line + 1),
  )
  const usual = lengths.reduce((sum, one) => sum + one, 0) / Math.max(1, lengths.length)
  const found: FoundSymbol[] = []
  const asked = terms.map(({ base }) => base)
  for (const { file, hits, name, folders } of texts) {
    if (file.role !== 'source') continue
    const symbols = file.facts.code?.symbols ?? []
    const owners = new Set(symbols.map(({ owner }) => owner))
    for (const symbol of symbols) {
      const own = {
        name: held.text(symbol.name),
        owner: held.text(symbol.owner ?? ''),
        doc: held.text(symbol.doc ?? ''),
        file: name,
        folders,
      }
      const body = terms.map(() => 0)
      for (const { line, term, near } of hits)
        if (line >= symbol.from && line <= symbol.end) body[term] = (body[term] ?? 0) + near
      const longer = 0.4 + (0.6 * (symbol.end - symbol.line + 1)) / usual
      let score = 0
      let matched = 0
      for (const [at, { weight }] of terms.entries()) {
        const often =
          Object.entries(fields).reduce(
            (sum, [field, share]) => sum + share * (own[field as keyof typeof own][at] ?? 0),
            0,
          ) +
          (body[at] ?? 0) / longer
        const best = Math.max(own.name[at] ?? 0, own.doc[at] ?? 0, Math.min(1, body[at] ?? 0))
        score += (weight * often) / (often + 2)
        matched += weight * best
      }
      if (matched === 0) continue
      found.push({
        path: file.path,
        symbol,
        score:
          score *
          (0.1 + (0.9 * matched) / whole) *
          substanceOf(symbol, owners.has(symbol.name)) *
          (undoes(symbol.name, asked) ? 0.4 : 1),
      })
    }
  }
  return found
}

/** Best first; of several of one name in one file the best alone, as overloads are. */
function once(found: readonly FoundSymbol[]): FoundSymbol[] {
  const seen = new Set<string>()
  return found
    .toSorted(
      (a, b) =>
        b.score - a.score || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.symbol.line - b.symbol.line),
    )
    .filter(({ path, symbol: { owner = '', name } }) => {
      const key = `${path}\0${owner}\0${name}`
      return !seen.has(key) && seen.add(key)
    })
}

/** Carries relevance along calls: to what does the work, and to what decides that it is done. */
function carried(survey: Survey, found: readonly FoundSymbol[]): FoundSymbol[] {
  const byName = new Map<string, FoundSymbol[]>()
  for (const one of found) {
    const name = one.symbol.name.split('::').at(-1) ?? one.symbol.name
    byName.set(name, [...(byName.get(name) ?? []), one])
  }
  const gained = new Map<FoundSymbol, number>()
  const best = found.toSorted((a, b) => b.score - a.score).slice(0, 60)
  for (const caller of best) {
    const near = new Set([caller.path, ...(survey.graph.out.get(caller.path) ?? []).map(({ to }) => to)])
    const called = new Set<FoundSymbol>()
    for (const name of calledIn(survey, caller))
      for (const one of byName.get(name) ?? [])
        if (one !== caller && (near.has(one.path) || byName.get(name)?.length === 1)) called.add(one)
    for (const one of called) {
      gained.set(one, (gained.get(one) ?? 0) + (0.15 * caller.score) / Math.sqrt(called.size))
      gained.set(caller, Math.max(gained.get(caller) ?? 0, 0.15 * one.score))
    }
  }
  return found.map((one) => ({
    ...one,
    score: one.score + Math.min(one.score, gained.get(one) ?? 0),
  }))
}

/** The names that the lines of a symbol call, in their order, each once. */
function calledIn(survey: Survey, { path, symbol }: Pick<FoundSymbol, 'path' | 'symbol'>): string[] {
  const lines = survey.source(path).split('\n').slice(symbol.line, symbol.end)
  const calls = lines.join('\n').matchAll(/([A-Za-z_$][\w$]*)\s*(?:<[^<>()]*>)?\(/g)
  return [...new Set(Array.from(calls, ([, name = '']) => name))]
}

/** How much a symbol says: what does something more than what names something. */
export function substanceOf({ kind, name, line, end }: SymbolFact, hasMethods: boolean): number {
  const length = end - line + 1
  if (/^(?:constant|variable|type|interface|enum|struct|record|property|field|module|namespace)$/.test(kind))
    return length > 4 ? 0.45 : 0.3
  if (/(?:Error|Exception|Warning)$/.test(name)) return 0.4
  // To be made, shown or compared is what everything does.
  if (/^(?:__\w+__|toString|String|equals|hashCode)$/.test(name)) return 0.4
  if (hasMethods && length > 10) return 0.5
  return length <= 1 ? 0.35 : length <= 3 ? 0.6 : 1
}

/** A file is about a question by its own name and text, and by the symbols in it. */
function rankFiles(
  texts: readonly Read[],
  terms: readonly Term[],
  symbols: readonly FoundSymbol[],
): FoundFile[] {
  const whole = terms.reduce((sum, { weight }) => sum + weight, 0)
  const usual = texts.reduce((sum, { file }) => sum + file.facts.lines, 0) / Math.max(1, texts.length)
  const best = new Map<string, number[]>()
  for (const { path, score } of symbols) {
    const own = best.get(path) ?? []
    if (own.length < 3) best.set(path, [...own, score])
  }
  return texts
    .map(({ file, hits, name, folders, doc }): FoundFile => {
      const body = terms.map(() => 0)
      const lines = new Map<string, number[]>()
      for (const { line, term, near } of hits) {
        body[term] = (body[term] ?? 0) + near
        const { word } = terms[term] as Term
        const own = lines.get(word) ?? []
        if (near >= 0.7 && own.at(-1) !== line) lines.set(word, [...own, line])
      }
      const longer = 0.4 + (0.6 * file.facts.lines) / Math.max(1, usual)
      let score = 0
      let matched = 0
      for (const [at, { weight, word }] of terms.entries()) {
        const often =
          3 * (name[at] ?? 0) + (folders[at] ?? 0) + 2 * (doc[at] ?? 0) + (0.3 * (body[at] ?? 0)) / longer
        if ((name[at] === 1 || folders[at] === 1) && !lines.has(word)) lines.set(word, [1])
        score += (weight * often) / (often + 2)
        matched += weight * Math.max(name[at] ?? 0, folders[at] ?? 0, Math.min(1, body[at] ?? 0))
      }
      const own = whole === 0 ? 0 : score * (0.3 + (0.7 * matched) / whole)
      const [first = 0, second = 0, third = 0] = best.get(file.path) ?? []
      return { file, score: 2 * own + first + second / 2 + third / 4, lines }
    })
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || (a.file.path < b.file.path ? -1 : 1))
}
