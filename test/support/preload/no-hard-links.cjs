// Loaded with `--require` into a command: no file gets a second name, as on exFAT; NO_LINKS says with which code.
const fs = require('node:fs')
const { syncBuiltinESMExports } = require('node:module')

fs.linkSync = function linkSync(file, dest) {
  const code = process.env.NO_LINKS || 'EPERM'
  const error = new Error(`${code}: operation not permitted, link '${file}' -> '${dest}'`)
  throw Object.assign(error, { errno: -1, code, syscall: 'link', path: file, dest })
}
syncBuiltinESMExports()
