import { baseOf } from './word-forms.ts'

const beside =
  /(?:^|[/_.-])(tests?|testing|fuzz(?:y|ing)?|bench(?:mark)?s?|examples?|demos?|samples?|mocks?|fakes?|stubs?|fixtures?|e2e|scripts?|hack)(?=[/_.-]|$)/gi

/**
 * What a path takes from the score of a file: what helps to test, to measure or to show the project is named like it and
 * seldom does it, and a declaration of types does nothing. Nothing where the question asks for just that; never zero.
 */
export function asideOf(path: string, asked: readonly string[]): number {
  const kinds = Array.from(path.matchAll(beside), ([, kind = '']) => baseOf(kind))
  const isAside = kinds.some((kind) => !asked.includes(kind))
  return (isAside ? 0.4 : 1) * (/\.d\.[cm]?ts$/.test(path) ? 0.5 : 1)
}
