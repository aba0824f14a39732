// Loaded with `--require` into a command: no file gets a second name, as on exFAT.
const fs = require('node:fs')
const { syncBuiltinESMExports } = require('node:module')

fs.linkSync = function linkSync(file, dest) {
  const error = new Error(`EPERM: operation not permitted, link '${file}' -> '${dest}'`)
  throw Object.assign(error, { errno: -1, code: 'EPERM', syscall: 'link', path: file, dest })
}
syncBuiltinESMExports()
