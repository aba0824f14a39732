// Kills and stops real processes at every call by which they change something, and checks what is left: the
// whole of what `npm test` takes a sample of. Optional: words, for the scenarios whose name holds
// them; a number n, for each n-th point only: `all-points.mjs "killed send" 3`.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('../..', import.meta.url))
const cache = path.join(root, 'node_modules', '.cache')
mkdirSync(cache, { recursive: true })
const dir = mkdtempSync(path.join(cache, 'test-program-'))
process.once('exit', () => rmSync(dir, { recursive: true, force: true }))
const input = path.join(root, 'test', 'killing', 'sweep-all.ts')
const external = ['@vscode/tree-sitter-wasm', /^elkjs/]
const build = await rolldown({ cwd: root, platform: 'node', input, external, logLevel: 'warn' })
const { output } = await build.write({ dir, format: 'esm', entryFileNames: '[name].mjs' })
await build.close()
const { sweepAll } = await import(pathToFileURL(path.join(dir, output[0].fileName)).href)
process.exit(await sweepAll(process.argv[2] ?? '', Number(process.argv[3] ?? 1)))
