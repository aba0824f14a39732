// Loaded with `--require` into a command: halts it in front of the first call of `call` whose files' names match
// `match`, until the file `go` is there. FED_TEST_HALT: JSON { points: [{ call, match }], reached, go }; `reached` is
// made when it halts.
const fs = require('node:fs')
const { syncBuiltinESMExports } = require('node:module')

const { points, reached, go } = JSON.parse(process.env.FED_TEST_HALT ?? '{"points":[]}')
// what the command starts is not halted
delete process.env.FED_TEST_HALT
delete process.env.NODE_OPTIONS

const { existsSync, readlinkSync, writeFileSync } = fs
let hasHalted = false

for (const { call, match } of points) {
  const real = fs[call]
  fs[call] = function halting(...args) {
    const names = args
      .filter((arg) => typeof arg === 'string')
      // a file may be named by the descriptor of its folder
      .map((arg) => arg.replace(/^\/proc\/(?:self|\d+)\/fd\/\d+(?=\/|$)/, (folder) => readlinkSync(folder)))
      .join(' ')
    if (!hasHalted && new RegExp(match).test(names)) {
      hasHalted = true
      writeFileSync(reached, '')
      while (!existsSync(go)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    }
    return real.apply(this, args)
  }
}
syncBuiltinESMExports()
