// Loaded with `--require` into a command: makes its calls that change the disk fail as on a full, read-only or
// broken one. FED_TEST_DISK: JSON { code, at, once, match, log }: the call number `at` fails with `code`, and all
// after it unless `once`; without `at` all succeed. With `match` only calls on a file whose path holds it count.
// `log` gets how many calls there were.
const fs = require('node:fs')
const path = require('node:path')
const { syncBuiltinESMExports } = require('node:module')
const { constants } = require('node:os')

const { code, at = Infinity, once = false, match = '', log } = JSON.parse(process.env.FED_TEST_DISK ?? '{}')
// what the command starts works on the real disk
delete process.env.FED_TEST_DISK
delete process.env.NODE_OPTIONS

let calls = 0
const original = { writeFileSync: fs.writeFileSync }

function failure(syscall, [file, dest]) {
  const isPair = /^(link|symlink|rename|copyFile)$/.test(syscall)
  const place = typeof file !== 'string' ? '' : ` '${file}'${isPair ? ` -> '${dest}'` : ''}`
  const error = new Error(`${code}: as on a bad disk, ${syscall}${place}`)
  Object.assign(error, { errno: -(constants.errno[code] ?? 1), code, syscall })
  if (isPair) Object.assign(error, { dest })
  return typeof file === 'string' ? Object.assign(error, { path: file }) : error
}

/** The path of each file that was opened, by its descriptor; that of its folder may be closed before it. */
const opened = new Map()

/** The path of a file that is named by the descriptor of its folder. */
const known = (place) =>
  typeof place === 'string'
    ? place.replace(/^\/proc\/(?:self|\d+)\/fd\/\d+(?=\/|$)/, (folder) => fs.readlinkSync(folder))
    : place

/** Whether this call is one that the disk refuses. */
function refuses([place]) {
  const file = opened.get(place) ?? known(place)
  if (match !== '' && !(typeof file === 'string' && file.includes(match))) return false
  calls += 1
  return once ? calls === at : calls >= at
}

const isChange = (flags) =>
  typeof flags === 'string'
    ? /[wa+]/.test(flags)
    : ((flags ?? 0) & (fs.constants.O_WRONLY | fs.constants.O_RDWR)) !== 0

/** Name of each call, whether a call of it changes the disk, and the argument that names the file. */
const changing = {
  openSync: ([, flags]) => isChange(flags),
  writeSync: ([descriptor]) => descriptor > 2,
  writeFileSync: () => true,
  appendFileSync: () => true,
  mkdirSync: ([dir]) => !fs.existsSync(dir),
  mkdtempSync: () => true,
  linkSync: () => true,
  symlinkSync: () => true,
  copyFileSync: () => true,
  renameSync: () => true,
  fsyncSync: () => true,
  fdatasyncSync: () => true,
}

for (const [name, changes] of Object.entries(changing)) {
  const real = fs[name]
  fs[name] = function faulty(...args) {
    if (changes(args) && refuses(args)) throw failure(name.replace(/Sync$/, ''), args)
    const result = real.apply(this, args)
    if (name === 'openSync') opened.set(result, known(args[0]))
    return result
  }
  const asynchronous = name.replace(/Sync$/, '')
  const later = fs[asynchronous]
  fs[asynchronous] = function faulty(...args) {
    const done = args.at(-1)
    if (typeof done !== 'function' || !changes(args) || !refuses(args)) return later.apply(this, args)
    process.nextTick(done, failure(asynchronous, args))
  }
  const promised = fs.promises[asynchronous]
  if (promised === undefined) continue
  fs.promises[asynchronous] = async function faulty(...args) {
    if (changes(args) && refuses(args)) throw failure(asynchronous, args)
    return promised.apply(this, args)
  }
}
syncBuiltinESMExports()

process.once('exit', () => {
  if (log !== undefined) original.writeFileSync(path.resolve(log), String(calls))
})
