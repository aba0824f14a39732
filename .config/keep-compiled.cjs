// Preloaded by the build into `fed` while it is tried out: keeps the code that V8 made of each of its files,
// with every function that was called.
'use strict'
const { mkdirSync, writeFileSync } = require('node:fs')
const path = require('node:path')
const vm = require('node:vm')

const scripts = []
vm.Script = class extends vm.Script {
  constructor(source, options) {
    super(source, options)
    scripts.push({ script: this, file: options.filename })
  }
}
process.on('exit', () => {
  const dir = path.join(path.dirname(process.argv[1]), 'compiled', `${process.versions.v8}-${process.arch}`)
  mkdirSync(dir, { recursive: true })
  for (const { script, file } of scripts)
    writeFileSync(path.join(dir, `${path.basename(file)}.code`), script.createCachedData())
})
