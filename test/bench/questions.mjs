// Asks the surveyor the questions of `questions.json`, which newcomers to ten repositories might have, and prints how many
// are answered: `node test/bench/questions.mjs [folder of clones]`. What is not there yet is cloned.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { bundle } from './bundle.mjs'
import { newFolder } from './places.mjs'

const { repositories, questions } = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'questions.json'), 'utf8'),
)
const clones = path.resolve(process.argv[2] ?? newFolder('clones'))
mkdirSync(clones, { recursive: true })
const program = await bundle('answers')
const cache = newFolder('cache')
const all = []
for (const [name, { url, commit }] of Object.entries(repositories)) {
  const root = path.join(clones, name)
  if (!existsSync(root)) {
    execFileSync('git', ['clone', '--quiet', url, root])
    execFileSync('git', ['-C', root, 'checkout', '--quiet', commit])
  }
  const file = path.join(cache, `${name}.json`)
  const own = questions.filter(({ repo }) => repo === name)
  writeFileSync(file, JSON.stringify(own))
  const told = JSON.parse(
    execFileSync(process.execPath, [program, root, path.join(cache, name), file], { encoding: 'utf8' }),
  )
  for (const { kind, question, isRefused, hasSymbol, hasFile } of told)
    console.log(
      `${isRefused ? 'refused' : hasSymbol ? 'symbol ' : hasFile ? 'file   ' : '-      '}  ${kind.padEnd(7)}  ${name}: ${question}`,
    )
  all.push(...told.map((one) => ({ ...one, isHeldOut: own[0]?.heldOut === true })))
}
// of those held out nothing was known while the ranking was made
for (const [isHeldOut, kind] of [false, true].flatMap((out) =>
  ['present', 'rare', 'absent'].map((one) => [out, one]),
)) {
  const own = all.filter((one) => one.kind === kind && one.isHeldOut === isHeldOut)
  if (own.length === 0) continue
  const count = (is) => own.filter(is).length
  console.log(
    `${isHeldOut ? 'held out, ' : ''}${kind}: ${own.length} questions, the right symbol among the first three ${count(({ hasSymbol }) => hasSymbol)}, the right file ${count(({ hasFile }) => hasFile)}, refused ${count(({ isRefused }) => isRefused)}`,
  )
}
