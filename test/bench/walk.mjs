// Prints through how many source files the calls of a command go, and how often they come back into a file that they
// had left: what somebody reads who follows `fed report` and `fed run` from their first line to their last. Each
// commit is copied, built by its own build, and run once; every function tells when it is entered.
//
//   npm run bench:walk                    what lies here, beside the commit before the sources had rooms
//   npm run bench:walk -- HEAD~3 v1.2.0   other commits beside it; `--files` names the files as they are first entered
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { parseAst } from 'rolldown/parseAst'
import { newFolder, programs, repository } from './places.mjs'

const beforeRooms = 'b366dbd6a817cdb1'
const here = 'here'

/** The sources, the tests' agents aside, of a commit or of the working tree. */
function copyOf(commit) {
  const tree = newFolder('tree')
  if (commit === here) {
    for (const name of [
      'machines',
      'src',
      '.config',
      'package.json',
      'tsconfig.json',
      'README.md',
      'LICENSE',
    ])
      cpSync(path.join(repository, name), path.join(tree, name), { recursive: true })
    cpSync(path.join(repository, 'package-lock.json'), path.join(tree, 'package-lock.json'))
  } else {
    const archive = path.join(newFolder('archive'), 'tree.tar')
    execFileSync('git', ['archive', '--output', archive, commit], { cwd: repository })
    execFileSync('tar', ['-xf', archive, '-C', tree])
  }
  // what a build writes there stays in the copy
  const packages = path.join(tree, 'node_modules')
  mkdirSync(packages)
  for (const name of readdirSync(path.join(repository, 'node_modules')))
    if (!name.startsWith('.fed-'))
      symlinkSync(path.join(repository, 'node_modules', name), path.join(packages, name))
  return tree
}

/** Every function of a syntax tree that has a body. */
function* functionsIn(node) {
  if (Array.isArray(node)) {
    for (const one of node) yield* functionsIn(one)
  } else if (node !== null && typeof node === 'object') {
    const isFunction = /^(?:Function(?:Declaration|Expression)|ArrowFunctionExpression)$/.test(node.type)
    if (isFunction && node.body) yield node
    for (const value of Object.values(node)) yield* functionsIn(value)
  }
}

/** Has each function of a source say that it is entered. */
function telling(text, number) {
  const told = `(globalThis as any).__walk?.(${number})`
  const inserted = [...functionsIn(parseAst(text, { lang: 'ts' }).body)].flatMap(({ body }) =>
    body.type === 'BlockStatement' || body.type === 'FunctionBody'
      ? [[body.start + 1, `;${told};`]]
      : [
          [body.start, `(${told}, `],
          [body.end, ')'],
        ],
  )
  // from the end, so that the places before stay where they are; of two at one place the outer one comes first
  const ordered = inserted.toSorted(([one], [other]) => other - one)
  return ordered.reduce((now, [at, what]) => now.slice(0, at) + what + now.slice(at), text)
}

const loading = (change) => `;(globalThis as any).__load?.(${change});`

/** Has a tree's functions tell, and builds it; returns the names of its files by their numbers. */
function build(tree) {
  const files = ['machines', 'src'].flatMap((folder) =>
    readdirSync(path.join(tree, folder), { recursive: true })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts') && !/(?:^|\/)page\//.test(file))
      .map((file) => `${folder}/${file}`)
      .toSorted(),
  )
  for (const [number, file] of files.entries()) {
    const whole = path.join(tree, file)
    const told = telling(readFileSync(whole, 'utf8'), number)
    // what a program's first file calls is the command itself
    writeFileSync(
      whole,
      told.startsWith('#!') || path.basename(file) === 'fed.ts'
        ? told
        : `${loading(1)}${told}\n${loading(-1)}`,
    )
  }
  execFileSync(process.execPath, ['.config/build.mjs'], { cwd: tree, stdio: ['ignore', 'ignore', 'inherit'] })
  return files
}

/** A repository in which the commands are run. */
function newRepository() {
  const root = newFolder('repository')
  const git = (...args) => execFileSync('git', args, { cwd: root, stdio: 'ignore' })
  git('init', '--quiet', '--template=')
  mkdirSync(path.join(root, 'src'))
  writeFileSync(path.join(root, 'src', 'app.ts'), 'export const answer = () => 42\n')
  git('add', '.')
  git('-c', 'user.name=x', '-c', 'user.email=x@example.org', 'commit', '--quiet', '--message', 'A file')
  return root
}

/** The files that a command's calls enter, in order; a call that stays in its file adds nothing. */
function walkOf(tree, root, files, args) {
  const entered = path.join(newFolder('walk'), 'entered.json')
  call(tree, root, args, {
    NODE_OPTIONS: `--require ${path.join(programs, 'record-walk.cjs')}`,
    FED_WALK: entered,
  })
  return JSON.parse(readFileSync(entered, 'utf8'))
    .filter((file, index, all) => file !== all[index - 1])
    .map((number) => files[number])
}

function call(tree, root, args, env = {}) {
  execFileSync(process.execPath, [path.join(tree, 'dist', 'fed.js'), ...args], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, FED_TELEMETRY_ENABLED: 'false', ...env },
  })
}

/** A call that enters a file in which the walk has been before comes back into it. */
function figuresOf(walk) {
  const files = [...new Set(walk)]
  return { files, returns: walk.length - files.length }
}

function measure(commit) {
  const tree = copyOf(commit)
  const files = build(tree)
  const reporting = newRepository()
  for (const args of [
    ['init'],
    ['onboard', 'docs', '--archetype', 'deliverable'],
    ['send', 'docs', '--type', 'directive', '--subject', 'Document the source'],
    ['monitor'],
  ])
    call(tree, reporting, args)
  const report = ['report', 'mission-planned', '--team', 'docs', '--body', 'Read src/app.ts first']
  const run = ['run', 'Document the source', '--quiet']
  return {
    report: figuresOf(walkOf(tree, reporting, files, report)),
    run: figuresOf(walkOf(tree, newRepository(), files, run)),
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { files: { type: 'boolean', default: false } },
})
// Node 20 reads these certificates at each start, which is nothing that is measured here
delete process.env.NODE_EXTRA_CA_CERTS
const commits = positionals.length > 0 ? positionals : [beforeRooms, here]
process.stdout.write('commit      command     files   returns\n')
for (const commit of commits) {
  for (const [command, { files, returns }] of Object.entries(measure(commit))) {
    const cells = [
      commit.slice(0, 10).padEnd(11),
      command.padEnd(7),
      ...[files.length, returns].map((n) => `${n}`.padStart(9)),
    ]
    process.stdout.write(`${cells.join(' ')}\n`)
    if (values.files) process.stdout.write(`${files.map((name) => `  ${name}\n`).join('')}\n`)
  }
}
