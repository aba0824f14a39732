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
