#!/usr/bin/env node
// Starts the command line. Its files come with the code that V8 made of them when they were built, which spares
// compiling them; it stands beside them, so who could forge it could forge the program itself. V8 refuses what
// another version or other flags made, and then compiles as usual.
'use strict'
const { existsSync, readFileSync } = require('node:fs')
const path = require('node:path')
const vm = require('node:vm')

const compiled = path.join(__dirname, 'compiled', `${process.versions.v8}-${process.arch}`)
const isCompiled = existsSync(compiled)
const loaded = new Map()

/** Loads a file of this folder as a CommonJS module, once. */
function load(file) {
  const known = loaded.get(file)
  if (known !== undefined) return known.exports
  const module = { exports: {} }
  loaded.set(file, module)
  const code = path.join(compiled, `${path.basename(file)}.code`)
  const script = new vm.Script(
    `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'utf8')}\n})`,
    { filename: file, cachedData: isCompiled && existsSync(code) ? readFileSync(code) : undefined },
  )
  const dir = path.dirname(file)
  const requireFrom = (id) => (id.startsWith('.') ? load(path.resolve(dir, id)) : require(id))
  script.runInThisContext().call(module.exports, module.exports, requireFrom, module, file, dir)
  return module.exports
}

load(path.join(__dirname, 'main.js'))
