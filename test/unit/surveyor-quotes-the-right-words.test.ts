// Proves that a README and a comment are quoted where they say what something is; fails when a licence, a note or markup is quoted instead.
import { expect, test } from 'vitest'
import { firstProse, readDocument } from '../../src/surveyor/read-document.ts'
import { leftOutByContent } from '../../src/surveyor/classify.ts'
import { firstParagraph } from '../../src/surveyor/languages/doc-comment.ts'

test('a README says what it is right under its title, also in a block quote; never by licence or installation', () => {
  const about = 'Shop keeps orders and carts for small sellers.'
  for (const text of [
    `# Shop\n\n> ${about}\n\nWe recommend that you use the latest browser of them all.\n`,
    `# Shop\n\n## License\n\nThis is free software for all the people out there.\n\n## What\n\n${about}\n`,
    `# Shop\n\n> [!NOTE]\n> This note says nothing about what the project is.\n\n${about}\n`,
    `# Shop\n\n## Questions\n\nAsk them in the forum of all who use it.\n\n## Shop\n\n${about}\n`,
    `# Shop\n\nNightly builds and their feed: https://example.org/shop/nightly/feed\n\n${about}\n`,
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

test('a comment is read without its examples and its entities, and is nothing where it only says whose work it was', () => {
  const about = 'Counts what lies on the shelves.'
  expect(firstParagraph(`/**\n * <pre>{@code\n * new Shelf();\n * }</pre>\n * ${about}\n */`)).toBe(about)
  expect(firstParagraph(`/**\n * <pre>new Shelf();</pre>\n *\n * ${about}\n */`)).toBe(about)
  expect(firstParagraph('/// <summary>An IEnumerable&lt;Shelf&gt; &amp; more</summary>')).toBe(
    'An IEnumerable<Shelf> & more',
  )
  for (const whose of [
    "The original work was derived from Goji's middleware, see there.",
    'Originally written by Ann for another shop.',
    'Adapted from the shelves of another shop.',
  ])
    expect(firstParagraph(`// ${whose}\n//\n// ${about}`)).toBe(about)
  expect(firstParagraph('// Derived from a base price and a rate.')).toBe(
    'Derived from a base price and a rate.',
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

test('a comment says nothing by terms of use, nor by a line that divides a file', () => {
  const about = 'Counts what lies on the shelves.'
  for (const comment of [
    `/*\n * Portions of this file are available under BSD3 terms; see REDISCONTRIBUTIONS for more.\n *\n * ${about}\n */`,
    `/*\n * Redistribution and use in source and binary forms, with or without changes, are permitted:\n *\n * ${about}\n */`,
    `// Core API ----------------------------------------\n\n// ${about}`,
  ])
    expect(firstParagraph(comment)).toBe(about)
  expect(firstParagraph(`/*\n** ${about}\n*/`)).toBe(about)
  expect(firstParagraph('"""Either :class:`Option`\\s or :class:`Argument`\\s."""')).toBe(
    'Either `Option`s or `Argument`s.',
  )
})

test('a document is titled as its front matter says', () => {
  expect(readDocument('a.md', '---\ntitle: "Assets"\nlayout: x\n---\n\n## Sass\n')).toEqual({
    title: 'Assets',
    headings: ['Assets', 'Sass'],
  })
  const form = "---\nname: Wish\nabout: Ask for more\ntitle: 'feat: '\n---\n\n# Summary\n"
  expect(readDocument('.github/ISSUE_TEMPLATE/wish.md', form).title).toBe('Summary')
})

test('a licence that speaks of generated code makes no file generated', () => {
  const licence =
    '/* works are solely in the form of machine-executable object code generated by\n * a processor. */\n'
  expect(leftOutByContent('a.c', Buffer.from(licence))).toBeUndefined()
  expect(leftOutByContent('a.go', Buffer.from('// Code generated by protoc. DO NOT EDIT.\n'))).toBe(
    'generated',
  )
})
