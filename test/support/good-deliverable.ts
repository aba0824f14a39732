/** A document that meets every rule: the tests break one thing in it at a time. Line numbers are counted on it. */
export const goodDeliverable = `# The order service

The order service accepts orders, e.g. from \`shop.ts\`. It writes them to one database!

## Contents

- [How it works](#how-it-works)
- [Next steps](#next-steps)

## How it works

See [the handler](src/http.ts) first:

\`\`\`ts
reply.send(order)
\`\`\`

### In detail

1. It reads.
2. It writes.

## Next steps

- Retry failed writes.
`

/** The same with one text replaced by another; throws where the text is not there, so that no test is void. */
export function withReplaced(from: string, to: string): string {
  if (!goodDeliverable.includes(from)) throw new Error(`the good document does not hold '${from}'`)
  return goodDeliverable.replace(from, () => to)
}
