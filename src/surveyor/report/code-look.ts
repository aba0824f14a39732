import { posix } from 'node:path'
import { openingOf } from './excerpt.ts'
import type { Survey } from '../survey.ts'
import type { Section } from './write-markdown.ts'

const CODE =
  /\.(?:sh|bash|zsh|fish|ps1|bat|sql|lua|pl|pm|r|jl|swift|kt|kts|scala|groovy|dart|ex|exs|erl|hs|ml|clj|fs|vb|zig|nim|vue|svelte|m|mm|el|lisp|s|asm)$/i

/**
 * A few lines of code for a report that shows none: a reader should see what the code looks like (spec §2.6
 * wants an example wherever there is code, parsed or not). No section where one is shown already.
 */
export function codeLookSection(survey: Survey, sections: readonly Section[]): Section {
  const title = 'A look at the code'
  if (sections.some(({ body }) => /^`{3,}(?!mermaid|`)\S/m.test(body))) return { title, body: '' }
  const isCode = (path: string): boolean => CODE.test(path) || survey.languageOf(path) !== undefined
  const parsed = survey.files
    .filter(({ facts }) => facts.code !== undefined)
    .toSorted((a, b) => rank(b) - rank(a) || (a.path < b.path ? -1 : 1))
  const others = survey.files.filter(({ path }) => CODE.test(path)).map(({ path }) => path)
  const outside = [
    ...survey.leftOut
      .filter(({ reason }) => /generated|vendored|minified/.test(reason))
      .map(({ path }) => path),
    ...survey.untracked,
  ].filter(isCode)
  const path = [...parsed.map((file) => file.path), ...others, ...outside].find(
    (candidate) => survey.source(candidate).trim() !== '',
  )
  if (path === undefined) return { title, body: '' }
  const lines = survey.source(path).split('\n')
  const first = lines.findIndex((line) => !/^\s*($|\/\/|\/?\*|#|--|;)/.test(line)) + 1
  return {
    title,
    body: `The beginning of ${openingOf(survey, path, Math.max(1, first), 12, posix.extname(path).slice(1).toLowerCase())}`,
  }
}

const rank = ({ facts, role }: Survey['files'][number]): number =>
  (role === 'source' ? 1_000_000 : 0) + Math.min(facts.lines, 999_999)
