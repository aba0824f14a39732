// Proves how the map of a repository groups modules: few nodes, none that hides a great part, names that are told
// apart, and each program beside what it runs; fails when a folder swallows the others or an entry floats.
import { expect, test } from 'vitest'
import { analyse } from '../../src/surveyor/analysis.ts'
import { ModuleClusters, shortNames } from '../../src/surveyor/report/map-clusters.ts'
import { moduleMap } from '../../src/surveyor/report/module-map.ts'
import { survey } from '../../src/surveyor/survey.ts'
import { repositoryOf } from '../support/repository.ts'

const numbers = (count: number): number[] => Array.from({ length: count }, (_, number) => number)
const edge = (from: string, to: string) => ({ from, to, weight: 1 })

/** Two rings of modules in one folder that have one import in common, and 30 small folders that use the one or the other. */
const flat = numbers(80).map((number) => `src/all/m${number}.ts`)
const small = numbers(30).map((number) => `src/part${number}/index.ts`)
const edges = [
  ...numbers(80).flatMap((number) => {
    const ring = number < 40 ? 0 : 40
    return [1, 2, 5].map((step) => edge(flat[number] ?? '', flat[ring + ((number - ring + step) % 40)] ?? ''))
  }),
  edge('src/all/m0.ts', 'src/all/m40.ts'),
  ...small.map((file, number) => edge(file, flat[number % 2 === 0 ? number : 40 + number] ?? '')),
  edge('src/main.ts', 'src/all/m0.ts'),
]
const files = [...flat, ...small, 'src/main.ts']

test('no node stands for half of the modules, and there are at most as many as asked for', () => {
  const clusters = new ModuleClusters(files, edges, ['src/main.ts'])
  for (const limit of [22, 15, 10]) {
    const found = clusters.upTo(limit)
    expect(found.length).toBeLessThanOrEqual(limit)
    expect(found.flatMap((one) => one.files).toSorted()).toEqual(files.toSorted())
    expect(Math.max(...found.map((one) => one.files.length))).toBeLessThan(files.length * 0.4)
    expect(found.find((one) => one.files.includes('src/main.ts'))?.files).toHaveLength(1)
  }
})

test('the parts of a large folder are those that import each other', () => {
  const parts = new ModuleClusters(files, edges, []).upTo(22).filter(({ hub }) => hub !== undefined)
  expect(parts.length).toBeGreaterThan(1)
  const rings = [new Set(flat.slice(0, 40)), new Set(flat.slice(40))]
  for (const { files: own } of parts) {
    const counts = rings.map((ring) => own.filter((file) => ring.has(file)).length)
    expect(Math.min(...counts)).toBeLessThanOrEqual(0.1 * Math.max(...counts))
  }
})

test('names are short, and each is there once', () => {
  const named = (...places: string[]) =>
    shortNames(places.map((place) => ({ place, files: [`${place}/a.ts`] })))
  expect(named('packages/core/src', 'packages/react/src', 'packages/core/src/graph')).toEqual([
    ...['core', 'react', 'graph'],
  ])
  expect(named('a/index', 'b/index', 'b', 'src')).toEqual(['a', 'b/index', 'b', 'src'])
  expect(new Set(named('x/src', 'y/src', 'x', 'y', 'src')).size).toBe(5)
})

test('a program is drawn beside what it runs', async () => {
  const root = repositoryOf({
    'package.json': '{"name":"shop","bin":{"shop":"src/main.ts"}}',
    ...Object.fromEntries(
      files.map((file) => [
        file,
        `${edges
          .filter(({ from }) => from === file)
          .map(({ to }) => `import '/${to}'`)
          .join('\n')}\nexport const a = 1\n`.replaceAll(
          "'/src/",
          `'${file === 'src/main.ts' ? './' : '../'}`,
        ),
      ]),
    ),
  })
  const found = await survey(root)
  const { body } = moduleMap(found, analyse(found))
  const id = /(n\d+)\["main\.ts"\]:::marked/.exec(body)?.[1]
  const target = new RegExp(`^ *${id} [=-]+> (n\\d+)`, 'm').exec(body)?.[1]
  expect(new RegExp(`${target}\\["all: m\\d+ · \\d+"\\]`).test(body)).toBe(true)
})
