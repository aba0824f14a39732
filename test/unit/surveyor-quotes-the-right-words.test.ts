// Proves that a README and a comment are quoted where they say what something is; fails when a licence, a note or markup is quoted instead.
import { expect, test } from 'vitest'
import { firstProse, readDocument } from '../../src/surveyor/read-document.ts'
import { firstParagraph } from '../../src/surveyor/languages/doc-comment.ts'

test('a README says what it is right under its title, also in a block quote; never by licence or installation', () => {
  const about = 'Shop keeps orders and carts for small sellers.'
  for (const text of [
    `# Shop\n\n> ${about}\n\nWe recommend that you use the latest browser of them all.\n`,
    `# Shop\n\n## License\n\nThis is free software for all the people out there.\n\n## What\n\n${about}\n`,
    `# Shop\n\n> [!NOTE]\n> This note says nothing about what the project is.\n\n${about}\n`,
    `# Shop\n\nRun npm install shop to get the package from there.\n\n${about}\n`,
  ])
    expect(firstProse('README.md', text)).toBe(about)
  expect(readDocument('README.md', '## Table of Contents\n\n## Shop\n').title).toBe('Shop')
})

test('a comment keeps what stands in angle brackets, and loses its markup', () => {
  expect(firstParagraph('// value of <PROGRAM>_ACTIVE_HELP, <b>bold</b>')).toBe(
    'value of <PROGRAM>_ACTIVE_HELP, bold',
  )
  expect(firstParagraph('//! > **Command Line Parser** in [Rust](https://example.org)')).toBe(
    'Command Line Parser in Rust',
  )
})
