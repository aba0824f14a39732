// Loaded before a program (`node --require`): counts the calls by which it changes the file system, makes it
// durable, starts another program or prints, writes each into a log, and sends the program a signal exactly
// before or after one of them. What the program starts is not counted: it does not inherit this.
'use strict'
const childProcess = require('node:child_process')
const fs = require('node:fs')
const { Socket } = require('node:net')
const { syncBuiltinESMExports } = require('node:module')
const path = require('node:path')

const order = process.env.FED_POINT
delete process.env.FED_POINT
if (order !== undefined) watch(JSON.parse(order))

/**
 * @param {{ log: string, number?: number, moment?: 'before' | 'after', signal?: NodeJS.Signals,
 *   sockets?: boolean }} order
 *   without a number the program is only counted.
 */
function watch({ log, number, moment, signal, sockets }) {
  const { openSync, writeSync } = fs
  const record = openSync(log, 'a')
  const names = new Map()
  let count = 0

  const reach = (call, at) => {
    if (call !== number || at !== moment) return
    // death takes what it started along, as it does when a terminal or a machine ends
    process.kill(signal === 'SIGKILL' ? -process.pid : process.pid, signal)
    // death comes before the next instruction; a machine where it does not must not go on
    if (signal === 'SIGKILL') for (;;);
  }
  const begin = (words) => {
    const call = (count += 1)
    writeSync(record, `${words}\n`)
    reach(call, 'before')
    return call
  }

  /** A call in words, without what differs from run to run. */
  const describe = (name, args) => {
    const of = (value) => (typeof value === 'number' ? names.get(value) : path.basename(String(value)))
    const target = /^(link|rename|symlink|copyFile|cp)$/.test(name) ? args[1] : args[0]
    return plain(`${name} ${of(target) ?? target}`)
  }
  const plain = (words) =>
    words
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
      .replace(/\d{4}-\d{2}-\d{2}T\d{6}Z/g, '<time>')
      .replace(/\b[0-9a-f]{8}-(?=<time>)/g, '<mark>-')
      .replace(/\.\d+\.tmp/g, '.<process>.tmp')
      .replace(/\s+/g, ' ')

  const changesNothing = (name, [, flags = 'r']) =>
    name === 'open' &&
    (typeof flags === 'number'
      ? (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR | fs.constants.O_CREAT)) === 0
      : !/[wa+]/.test(flags))

  const remember = (name, args, result) => {
    if (name === 'open' && typeof result === 'number') names.set(result, path.basename(String(args[0])))
  }

  const sync = (owner, key, name, words = describe) =>
    replace(
      owner,
      key,
      (original) =>
        function (...args) {
          const call = changesNothing(name, args) ? 0 : begin(words(name, args))
          try {
            const result = original.apply(this, args)
            remember(name, args, result)
            return result
          } finally {
            // a call that fails is over as well
            reach(call, 'after')
          }
        },
    )
  const withCallback = (owner, name) =>
    replace(
      owner,
      name,
      (original) =>
        function (...args) {
          const call = changesNothing(name, args) ? 0 : begin(describe(name, args))
          const last = args.at(-1)
          if (typeof last === 'function') {
            args[args.length - 1] = function (...results) {
              remember(name, args, results[1])
              reach(call, 'after')
              return last.apply(this, results)
            }
          }
          return original.apply(this, args)
        },
    )
  const withPromise = (owner, name, words) =>
    replace(
      owner,
      name,
      (original) =>
        async function (...args) {
          const call = changesNothing(name, args) ? 0 : begin(words(this, args))
          try {
            const result = await original.apply(this, args)
            if (name === 'open') watchHandle(result, path.basename(String(args[0])))
            return result
          } finally {
            reach(call, 'after')
          }
        },
    )

  const handles = new WeakMap()
  let handlesAreWatched = false
  const watchHandle = (handle, name) => {
    handles.set(handle, name)
    if (handlesAreWatched) return
    handlesAreWatched = true
    const prototype = Object.getPrototypeOf(handle)
    for (const key of [
      'write',
      'writev',
      'writeFile',
      'appendFile',
      'sync',
      'datasync',
      'truncate',
      'chmod',
    ]) {
      withPromise(prototype, key, (self) => plain(`${key} ${handles.get(self)}`))
    }
  }

  const changing = [
    ...[
      'appendFile',
      'chmod',
      'copyFile',
      'cp',
      'fchmod',
      'fdatasync',
      'fsync',
      'ftruncate',
      'futimes',
      'link',
    ],
    ...['mkdir', 'mkdtemp', 'open', 'rename', 'rm', 'rmdir', 'symlink', 'truncate', 'unlink', 'utimes'],
    ...['write', 'writeFile', 'writev'],
  ]
  for (const name of changing) {
    sync(fs, `${name}Sync`, name)
    withCallback(fs, name)
    withPromise(fs.promises, name, (_, args) => describe(name, args))
  }
  const started = (_, [file, args]) =>
    [path.basename(file), ...(Array.isArray(args) ? args : []).slice(0, 2)]
      .map((word) => path.basename(String(word)))
      .join(' ')
  for (const name of ['execFileSync', 'spawnSync', 'spawn', 'execFile']) {
    sync(childProcess, name, 'start', (_, args) => plain(`start ${started(_, args)}`))
  }
  sync(process.stdout, 'write', 'print', () => 'print')
  // what goes to a server; pipes to its own children are none
  if (sockets) sync(Socket.prototype, 'connect', 'connect', () => 'connect')
  if (sockets) sync(Socket.prototype, 'write', 'say', () => 'say')
  syncBuiltinESMExports()
}

/** Puts another function in the place of one, with its properties: some say how it is made to a promise. */
function replace(owner, key, make) {
  const original = owner[key]
  if (typeof original !== 'function') return
  const made = make(original)
  for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(original))) {
    if (!['length', 'name', 'prototype'].includes(name)) Object.defineProperty(made, name, property)
  }
  for (const symbol of Object.getOwnPropertySymbols(original)) {
    Object.defineProperty(made, symbol, Object.getOwnPropertyDescriptor(original, symbol))
  }
  owner[key] = made
}
