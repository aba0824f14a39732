// Bundles the programs and the library into dist/, and emits the library's types. A program loads three or four
// files instead of hundreds, as CommonJS, which starts faster: its cold start is near that of bare node.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))
const out = path.join(root, 'dist')

const machines = Object.fromEntries(
  readdirSync(path.join(root, 'machines'))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => [`machines/${path.basename(file, '.ts')}`, path.join('machines', file)]),
)

/** The licences of the packages whose code is in the bundle, which ask to go with it. */
function licencesOf(output) {
  const folders = new Set(
    output
      .flatMap((chunk) => chunk.moduleIds ?? [])
      .flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []),
  )
  return [...folders]
    .toSorted()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
      const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
      const text = file === undefined ? '' : `\n${readFileSync(path.join(folder, file), 'utf8').trim()}\n`
      return `${name} ${version}: ${license ?? 'as follows'}\n${text}`
    })
    .join(`\n${'-'.repeat(80)}\n\n`)
}

// data files beside their code, and a licence that asks to be kept apart
const external = ['@vscode/tree-sitter-wasm', /^elkjs/, 'jiti']

/** What each shared chunk holds: files and folders of the repository without `.ts`, and packages. */
const shared = {
  shell: [
    'src/errors',
    'src/protocol/duration',
    'src/platform/process/package',
    'src/federation/hooks/fault-listener',
    'src/platform/git/set-aside-listener',
    'src/engine/inspection/is-inspected',
    ...[
      'declare-command',
      'output',
      'live-lines',
      'plain-text',
      'text-input',
      'parse-duration',
      'choices',
    ].map((name) => `src/apps/cli/${name}`),
    'node_modules/commander',
  ],
  core: [
    'src/platform/process/kernel-random',
    'src/platform/process/process-identity',
    'src/platform/storage',
    'src/protocol',
    'src/records/signals',
    'src/records/registry/team-registry',
    'src/records/registry/registry-codec',
    'src/records/config/load-config',
    'src/records/sites',
    ...[
      'federation',
      'federation-home',
      'federation-record',
      'small-document',
      'identity',
      'place-of-team',
      'root',
      'control-word',
      'send-checked',
      'site-of-team',
    ].map((name) => `src/federation/${name}`),
    'machines/guards',
    'node_modules/zod',
    'node_modules/uuid',
  ],
  actors: [
    'src/engine/decide',
    'src/engine/step',
    'src/records/registry/move-status',
    'src/records/learnings',
    'src/platform/git/git',
    ...['team', 'archetypes', 'catalogue', 'mail', 'mission'].map((name) => `src/federation/${name}`),
    'machines',
    'node_modules/xstate',
  ],
}

const isThere = (entry) => ['', '.ts'].some((ending) => existsSync(path.join(root, entry + ending)))
for (const entry of Object.values(shared).flat())
  if (!isThere(entry)) throw new Error(`build.mjs names ${entry} as a part of a chunk, and it is not there`)

// few files instead of many small ones: each costs a look-up and a read before the first line runs
const codeSplitting = {
  groups: Object.entries(shared).map(([name, entries], index, { length }) => ({
    name,
    test: (id) =>
      entries.some(
        (entry) => id === path.join(root, `${entry}.ts`) || id.startsWith(path.join(root, entry, '/')),
      ),
    // of two that hold a file the first gets it
    priority: length - index,
  })),
}

/**
 * Node's own modules that take long to load and that most commands never call: loaded by the call. Only what
 * is called is given; a missing name stops the build.
 */
const late = {
  'node:child_process': ['execFile', 'execFileSync', 'spawn', 'spawnSync'],
  'node:crypto': ['createHash', 'createHmac', 'randomBytes', 'timingSafeEqual'],
}
const lateModules = {
  name: 'late-modules',
  resolveId: (id, importer) =>
    Object.hasOwn(late, id) && !importer?.startsWith('late:') ? `late:${id}` : null,
  load: (id) =>
    id.startsWith('late:')
      ? late[id.slice(5)]
          .map(
            (name) =>
              `export const ${name} = (...all) => process.getBuiltinModule('${id.slice(5)}').${name}(...all)`,
          )
          .join('\n')
      : null,
}

/** uuid as for a browser, which brings its own SHA-1, and its random bytes from a file: see `kernel-random.ts`. */
const inPrograms = {
  plugins: [lateModules],
  resolve: { alias: { uuid: path.join(root, 'node_modules/uuid/dist/index.js') } },
  transform: { inject: { crypto: [path.join(root, 'src/platform/process/kernel-random.ts'), 'crypto'] } },
}

/** Bundles some entries into a folder whose files are of one module kind; returns what was written. */
async function bundle(dir, type, input, options, given = {}) {
  // a module that one program loads late, another may load at once
  const checks = { ineffectiveDynamicImport: false }
  const built = await rolldown({
    cwd: root,
    platform: 'node',
    input,
    external,
    checks,
    logLevel: 'warn',
    ...given,
    // of a package that has both kinds, the one of which only what is used is taken
    resolve: { mainFields: ['module', 'main'], ...given.resolve },
  })
  const { output } = await built.write({
    dir,
    format: type === 'module' ? 'esm' : 'cjs',
    // code that was compiled before has no `import()` of its own
    dynamicImportInCjs: false,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    ...options,
  })
  await built.close()
  writeFileSync(path.join(dir, 'package.json'), `${JSON.stringify({ type })}\n`)
  return output
}

/** The dashboard's page and the inspector's: each script is one file, and both have one style sheet. */
async function bundlePages(dist) {
  const outputs = []
  const page = path.join(root, 'src/apps/web/dashboard/page')
  const html = readFileSync(path.join(page, 'index.html'), 'utf8')
  const scripts = {
    'dashboard/page.js': 'dashboard/page/dashboard-page.tsx',
    // loaded by documents that have a diagram, and by nothing else
    'dashboard/diagram.js': 'dashboard/page/diagram-frame.ts',
    'inspector/page.js': 'inspector/page/inspector-page.tsx',
    'inspector/stately.js': 'inspector/page/stately.tsx',
    'dashboard/stream.js': 'dashboard/page/stream-worker.ts',
    'inspector/stream.js': 'dashboard/page/stream-worker.ts',
  }
  for (const [file, script] of Object.entries(scripts)) {
    const built = await rolldown({
      cwd: root,
      platform: 'browser',
      input: path.join(root, 'src/apps/web', script),
      transform: { jsx: { importSource: 'preact' } },
    })
    const { output } = await built.write({
      file: path.join(dist, file),
      format: 'iife',
      minify: true,
      codeSplitting: false,
    })
    await built.close()
    outputs.push(...output)
  }
  for (const name of ['dashboard', 'inspector']) {
    writeFileSync(path.join(dist, name, 'index.html'), html)
    copyFileSync(path.join(page, 'page.css'), path.join(dist, name, 'page.css'))
  }
  writeFileSync(path.join(dist, 'inspector/stately.html'), html.replace('page.js', 'stately.js'))
  return outputs
}

/** Has `fed` do what is waited on most, once each, while the code that V8 makes of its files is kept. */
function keepCompiled(fed) {
  const repository = path.join(staging, 'repository')
  mkdirSync(repository)
  // inside a git hook or a session these name another repository or team, and flags change what V8 makes
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(GIT|FED|NODE)_/.test(name)),
  )
  // whoever collects telemetry here wants none of this
  Object.assign(env, { FED_TELEMETRY_ENABLED: 'false' })
  const run = (program, args) => execFileSync(program, args, { cwd: repository, env, encoding: 'utf8' })
  const call = (...args) =>
    run(process.execPath, ['-r', path.join(root, '.config/keep-compiled.cjs'), fed, ...args])
  run('git', ['init', '--quiet'])
  call('init')
  call('onboard', 'docs', '--archetype', 'deliverable')
  call('send', 'docs', '--type', 'directive', '--subject', 'A mission')
  call('monitor')
  call('report', 'mission-planned', '--body', '.git', '--team', 'docs')
  call('learn', 'A finding', '--team', 'docs')
  call('status', 'docs')
  call('inbox', 'meta')
  const [{ id }] = JSON.parse(call('inbox', 'meta', '--json'))
  call('ack', 'meta', id)
  call('--help')
}

/** Everything that a build is made of: the sources, how they are built and by what. */
function digestOfInputs() {
  const hash = createHash('sha256').update(`${process.version} ${process.platform} ${process.arch}`)
  const inputs = ['package.json', 'package-lock.json', 'tsconfig.json', '.config', 'machines', 'src']
  for (const input of inputs) {
    const folder = path.join(root, input)
    const files = statSync(folder).isFile()
      ? [folder]
      : readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map(({ parentPath, name }) => path.join(parentPath, name))
    for (const file of files.toSorted()) {
      const content = readFileSync(file)
      hash.update(`\0${path.relative(root, file)}\0${content.length}\0`).update(content)
    }
  }
  return hash.digest('hex')
}

const digest = digestOfInputs()
/** Of what the build in place was made. */
const inputsFile = 'inputs.sha256'
const built = path.join(out, inputsFile)
if (existsSync(built) && readFileSync(built, 'utf8') === digest) {
  console.log('dist/ is up to date')
  process.exit()
}

/** Built aside and put in place by a rename: a command that runs meanwhile finds the old build or the new one. */
const staging = mkdtempSync(path.join(root, 'node_modules', '.fed-build-'))
try {
  const dist = path.join(staging, 'dist')
  const library = path.join(dist, 'library')
  const programs = {
    main: 'src/apps/cli/fed.ts',
    'fed-agent': 'src/apps/cli/fed-agent.ts',
    gate: 'src/platform/process/gate.ts',
    relay: 'src/platform/confinement/network/relay.ts',
    'probe-agent': 'src/apps/doctor/probe/probe-agent.ts',
    'hook-thread': 'src/federation/hooks/hook-thread.ts',
    'postman-thread': 'src/apps/cli/postman-thread.ts',
    'parsing-thread': 'src/surveyor/parsing-thread.ts',
    'drawing-thread': 'src/apps/web/dashboard/drawing-thread.ts',
    'write-diagrams': 'src/diagram/write-diagrams.ts',
    'write-layouts': 'src/diagram/write-layouts.ts',
    'write-schemas': 'src/federation/schemas/write-schemas.ts',
  }
  const output = [
    ...(await bundle(
      dist,
      'commonjs',
      programs,
      {
        // errors and xstate's guards tell themselves by their names
        minify: { compress: true, mangle: { keepNames: true }, codegen: true },
        codeSplitting,
      },
      inPrograms,
    )),
    ...(await bundle(
      library,
      'module',
      { index: 'src/index.ts', hook: 'src/federation/hooks/authoring.ts', ...machines },
      {},
      // one instance for the program and us: it is where the program registers its SDK
      { external: [...external, '@opentelemetry/api'] },
    )),
    ...(await bundlePages(dist)),
  ]
  const early = output.find(({ name }) => name === 'main').imports.find((file) => file.includes('actors'))
  if (early !== undefined) throw new Error(`every command would load ${early}: something in main.js needs it`)
  writeFileSync(path.join(dist, 'THIRD-PARTY-LICENSES.txt'), licencesOf(output))
  execFileSync(
    process.execPath,
    [
      path.join(root, 'node_modules/typescript/bin/tsc'),
      ...['-p', '.config/tsconfig.types.json', '--outDir', path.join(library, 'types')],
    ],
    { cwd: root, stdio: 'inherit' },
  )
  copyFileSync(path.join(root, 'src/apps/cli/start.cjs'), path.join(dist, 'fed.js'))
  execFileSync(process.execPath, [path.join(dist, 'write-layouts.js'), path.join(dist, 'layouts')])
  try {
    keepCompiled(path.join(dist, 'fed.js'))
  } catch (error) {
    console.warn(`fed will start slower, because it was not compiled before: ${error.message}`)
  }
  for (const bin of ['fed.js', 'fed-agent.js']) chmodSync(path.join(dist, bin), 0o755)
  writeFileSync(path.join(dist, inputsFile), digest)
  if (existsSync(out)) renameSync(out, path.join(staging, 'old'))
  renameSync(dist, out)
} finally {
  rmSync(staging, { recursive: true, force: true })
}
