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

test('a comment says nothing by a shebang, a switch of a tool, a date, or what is still to do', () => {
  const about = 'Counts what lies on the shelves.'
  for (const comment of [
    `#!/usr/bin/env python3\n# ${about}`,
    `# coding: utf-8\n# ${about}`,
    `// TODO: make it faster,\n// and nicer.\n//\n// ${about}`,
    `// biome-ignore lint: why not\n// ${about}`,
    `/**\n * 2024-05-01\n *\n * ${about}\n */`,
    `/**\n * Created by Ann on 1/5/2024.\n *\n * ${about}\n */`,
    `/* Author: Ann */\n\n/* ${about} */`,
    `# shellcheck disable=SC2034\n# ${about}`,
  ])
    expect(firstParagraph(comment)).toBe(about)
  for (const comment of ['// TODO', '// TBD', '// FIXME: all of it', '#!/usr/bin/env node', '# mypy: strict'])
    expect(firstParagraph(comment)).toBeUndefined()
  expect(firstParagraph('// Todo lists are kept here.')).toBeUndefined()
  expect(firstParagraph('// TodoList keeps what is to do.')).toBe('TodoList keeps what is to do.')
})

test('a document says nothing by its front matter, its date or its state, and `TBD` is no title', () => {
  const about = 'Shop keeps orders and carts for small sellers.'
  for (const head of [
    '---\ntitle: The shop of all the shops out there\n---\n',
    '+++\ntitle = "The shop of all the shops"\n+++\n',
    'Last updated: 2024-05-01, by Ann and all of the others\n',
    '**TODO** write down what all of this is about\n',
  ])
    expect(firstProse('README.md', `${head}\n# Shop\n\n${about}\n`)).toBe(about)
  expect(readDocument('NEWS.md', '# TBD\n\n# News\n').title).toBe('News')
})
