/**
 * The path that a code span is, without a line number, an anchor or a symbol behind it; undefined where it may be
 * something else: a pattern, a placeholder, an address, a package.
 */
export function pathIn(span: string): string | undefined {
  const path = span
    .replace(/^\.\//, '')
    .replace(/(?::\d+(?:[-:]\d+)?|#L\d+(?:-L?\d+)?|::?[A-Za-z_]\w*(?:\(\))?)$/, '')
  if (!/^(?:\.\.\/)*(?:[\w.@+-]+\/)+[\w.@+-]*$/.test(path) || path.startsWith('@')) return undefined
  const parts = path.split('/').filter((part) => part !== '')
  if (/^[\w-]+\.(?:com|org|io|dev|net|sh|gov|edu|app|in)$/.test(parts[0] ?? '') || parts.includes('...'))
    return undefined
  return parts.some((part) => PLACEHOLDER.test(part) || OUTPUT.test(part)) ? undefined : path
}

const PLACEHOLDER =
  /^(?:foo|bar|baz|qux|xxx|x{2,}|my[-_]?\w*|your[-_]?\w*|some[-_]\w+|example\w*|path|to|n{2,})(?:\.\w+)?$|NNN|XXX|YYYY/i
/** What is made, installed or kept from others is not in a repository. */
const OUTPUT =
  /^(?:dist|build|out|target|node_modules|coverage|tmp|temp|logs?|vendor|bin|obj|\.env.*|\.cache|\.git|__pycache__|\.venv|venv|\.next|\.nuxt|generated)$/

/** `Owner.member`, `Owner#member` or `Owner::member`, with or without a call. */
export function memberOf(span: string): { owner: string; member: string } | undefined {
  const [, owner, member] =
    /^([A-Z]\w{2,})(?:\.prototype)?(?:\.|#|::)([A-Za-z_]\w{2,})(?:\([^()]*\))?$/.exec(span) ?? []
  return owner === undefined || member === undefined ? undefined : { owner, member }
}

/** The name of a source file that a code span is; one that says what it is about, not one that many projects have. */
export const fileNameIn = (span: string): string | undefined =>
  /^[A-Za-z][\w-]{3,}(?:\.[\w-]+)*\.(?:[cm]?tsx?|[cm]?jsx?|go|rs|py|rb|java|kt|cs|php|c|cc|cpp|h|hpp|swift)$/.test(
    span,
  ) && !COMMON_NAME.test(span)
    ? span
    : undefined

/** Names that many files bear, or that only configure a tool. */
export const COMMON_NAME =
  /^(?:index|main|mod|lib|readme|license|changelog|package|config|utils?|helpers?|types?|constants?|errors?|app|server|client|test|tests|setup|init|__init__|file|foo|bar|baz|example\w*|my\w*|your\w*|hello|demo|sample|script|module|program|input|output|plugin|page|component|middleware|router?s?|user|users|schema|db|database)(?![A-Za-z])|\.config\./i
