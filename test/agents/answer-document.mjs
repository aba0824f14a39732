/** What scripted agents deliver: short, and as the standards want it. */
export const document = `# The answer

This repository exports one number. The number is forty-two.

## The source

It stands in \`src/app.ts\`:

\`\`\`ts
export const answer = 42
\`\`\`

## Next steps

1. Write a test for it.
`
