// Proves that imports, public symbols, docs and entry points are read in each language; fails when a grammar or walker loses one.
import { describe, expect, test } from 'vitest'
import { read, exported, imported } from '../support/facts.ts'

describe('TypeScript and JavaScript', () => {
  test('modes of import, exported symbols, hidden members and docs', async () => {
    const facts = await read(
      'src/store.ts',
      `// Keeps orders on disk, one file each.

import fs from 'node:fs'
import { type Clock } from './clock.ts'
import type { Order } from './order.ts'
import { encode as write } from '../codec.js'
export * from './errors.ts'

const secret = 1
/** Opens a store. More words. */
export function open(dir: string): Store { return new Store(dir) }
/** All orders of a shop. */
export class Store {
  #cache = new Map()
  constructor(private readonly dir: string) {}
  /** One order. */
  get(id: string): Order { return import('./lazy.ts') as never }
  private hide(): void {}
}
export const close = (): void => {}, LIMIT = 3
export type Id = string
export interface Row { id: Id }
export enum Kind { A }
function later() {}
export { later, secret as hidden }
`,
    )
    expect(facts.doc).toBe('Keeps orders on disk, one file each.')
    expect(imported(facts)).toEqual([
      'load node:fs',
      'type ./clock.ts',
      'type ./order.ts',
      'load ../codec.js',
      'load ./errors.ts',
      'lazy ./lazy.ts',
    ])
    expect(exported(facts)).toEqual([
      'constant secret',
      'function open',
      'class Store',
      'method Store.constructor',
      'method Store.get',
      'function close',
      'constant LIMIT',
      'type Id',
      'interface Row',
      'enum Kind',
      'function later',
    ])
    expect(facts.symbols.find(({ name }) => name === 'open')).toMatchObject({
      line: 11,
      from: 10,
      end: 11,
      doc: 'Opens a store. More words.',
    })
  })

  test('CommonJS exports, prototype methods and requires inside functions', async () => {
    const facts = await read(
      'lib/app.js',
      `'use strict'
var http = require('http')
var app = exports = module.exports = {}

/**
 * Starts listening.
 *
 * @public
 */

app.listen = function listen() { return require('./late') }
exports.mount = function () {}
function Route() {}
Route.prototype.all = function () {}
module.exports.Route = Route
`,
    )
    expect(imported(facts)).toEqual(['load http', 'lazy ./late'])
    expect(exported(facts)).toEqual([
      'method app.listen',
      'function mount',
      'function Route',
      'method Route.all',
    ])
    expect(facts.symbols.find(({ name }) => name === 'listen')?.doc).toBe('Starts listening.')
  })

  test('a component is read by its scripts, each at its own lines', async () => {
    const facts = await read(
      'src/Cart.vue',
      '<template>\r\n  <p>{{ sum }}</p>\r\n</template>\r\n<script lang="ts">\r\nexport const LIMIT = 3\r\n</script>\r\n<script setup lang="ts">\r\nimport { add } from "./add"\r\nfunction total(): number { return add(1) }\r\n</script>\r\n<style>p { color: red }</style>\r\n',
    )
    expect(facts.imports).toEqual([{ specifier: './add', line: 8, mode: 'load', names: ['add'] }])
    expect(facts.symbols.map(({ name, line, exported: open }) => ({ name, line, open }))).toEqual([
      { name: 'LIMIT', line: 5, open: true },
      { name: 'total', line: 9, open: false },
    ])
    const page = await read('src/Page.astro', '---\nconst title = 1\n---\n<h1>{title}</h1>\n')
    expect(page.symbols.map(({ name, line }) => `${name} ${line}`)).toEqual(['title 2'])
  })

  test('TSX and JSX are parsed by their own grammars', async () => {
    expect(exported(await read('a.tsx', 'export const View = () => <b>hi</b>\n'))).toEqual(['function View'])
    expect(exported(await read('a.jsx', 'export default function View() { return <b>hi</b> }\n'))).toEqual([
      'function View',
    ])
  })
})

test('Python: docstrings, guarded and lazy imports, private names, entry', async () => {
  const facts = await read(
    'pkg/cli.py',
    `"""Command line of the tool."""
import os, a.b as c
from . import io
from ..core import (Run as R, stop)
if TYPE_CHECKING:
    from .types import T
current = Local()
@decorated
def main(argv):
    """Runs it."""
    import json
def _hidden(): pass
class Tool(Base):
    def run(self): pass
    def _quiet(self): pass
if __name__ == "__main__":
    main([])
`,
  )
  expect(facts.doc).toBe('Command line of the tool.')
  expect(imported(facts)).toEqual([
    'load os',
    'load a.b',
    'load .',
    'load ..core',
    'type .types',
    'lazy json',
  ])
  expect(facts.imports[3]?.names).toEqual(['Run', 'stop'])
  expect(exported(facts)).toEqual(['variable current', 'function main', 'class Tool', 'method Tool.run'])
  expect(facts.entry).toContain('__main__')
})

test('Go: package, receivers, grouped declarations, func main', async () => {
  const facts = await read(
    'cmd/x/main.go',
    `// Command x prints things.
package main

import (
	"fmt"
	store "example.org/x/internal/store"
)

// Server serves.
type Server struct{}

// Run runs it.
func (s *Server) Run() error { store.Open(); return nil }
func (s Server) quiet() {}

const (
	Max = 1
	min = 2
)

func main() { fmt.Println(helper()) }
`,
  )
  expect(facts).toMatchObject({ namespace: 'main', doc: 'Command x prints things.' })
  expect(imported(facts)).toEqual(['load fmt', 'load example.org/x/internal/store'])
  expect(exported(facts)).toEqual(['struct Server', 'method Server.Run', 'constant Max'])
  expect(facts.words).toEqual(expect.arrayContaining(['store.Open', 'helper']))
  expect(facts.entry).toContain('package main')
})

test('Rust: use trees, child modules, visibility, inline tests', async () => {
  const facts = await read(
    'src/lib.rs',
    `//! Searches text.
use crate::a::{b, c::{self, D}};
pub(crate) mod walk;
/// A searcher.
/// Over lines.
#[derive(Debug)]
pub struct Searcher { x: u8 }
impl Searcher {
    pub fn new() -> Self { crate::util::make() }
    fn quiet(&self) {}
}
impl Display for Searcher { fn fmt(&self) {} }
#[cfg(test)]
mod tests { use super::*; }
`,
  )
  expect(facts).toMatchObject({ doc: 'Searches text.', inlineTests: true })
  expect(imported(facts)).toEqual([
    'load crate::a::b',
    'load crate::a::c',
    'load crate::a::c::D',
    'declare walk',
  ])
  expect(exported(facts)).toEqual(['struct Searcher', 'method Searcher.new', 'method Searcher.fmt'])
  expect(facts.symbols[0]?.doc).toBe('A searcher. Over lines.')
  expect(facts.words).toContain('crate::util::make')
})
