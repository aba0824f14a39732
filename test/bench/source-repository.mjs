// A TypeScript repository of so many files, the same each time: modules of ordinary length that import each
// other, in folders, with comments, classes and functions, in one commit.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const areas = [
  'orders',
  'billing',
  'catalog',
  'shipping',
  'accounts',
  'search',
  'reports',
  'storage',
  'http',
  'queue',
]
const things = [
  'Order',
  'Invoice',
  'Product',
  'Parcel',
  'Account',
  'Query',
  'Report',
  'Record',
  'Request',
  'Message',
]
const verbs = ['load', 'save', 'check', 'merge', 'price', 'route', 'render', 'index', 'retry', 'close']

const moduleName = (number) => `${verbs[Math.floor(number / 10) % 10]}-${areas[number % 10]}-${number}`
const moduleFile = (number) => path.posix.join('src', areas[number % 10], `${moduleName(number)}.ts`)

function source(number, count) {
  const thing = things[number % 10]
  const imported = [number * 7 + 3, number * 13 + 5, number + 11]
    .map((other) => other % count)
    .filter((other) => other !== number)
  const imports = [...new Set(imported)].map((other) => {
    const from = path.posix.relative(path.posix.dirname(moduleFile(number)), moduleFile(other))
    return `import { ${verbs[Math.floor(other / 10) % 10]}${things[other % 10]}${other} } from '${from.startsWith('.') ? from : `./${from}`}'`
  })
  const uses = [...new Set(imported)].map(
    (other) => `${verbs[Math.floor(other / 10) % 10]}${things[other % 10]}${other}`,
  )
  const name = `${verbs[Math.floor(number / 10) % 10]}${thing}${number}`
  const steps = Array.from(
    { length: 4 + (number % 9) },
    (_, step) => `
  /** Step ${step} of ${thing.toLowerCase()} ${number}: what came before is kept. */
  step${step}(input: ${thing}${number}Input): number {
    if (input.amount < ${step}) throw new RangeError(\`\${input.id}: too little for step ${step}\`)
    const total = input.lines.reduce((sum, line) => sum + line.count * line.price, 0)
    this.#seen.set(input.id, total + ${step})
    return total > ${step * 100} ? total : this.#seen.size
  }`,
  )
  return `${imports.join('\n')}

export interface ${thing}${number}Input {
  readonly id: string
  readonly amount: number
  readonly lines: readonly { readonly count: number; readonly price: number }[]
}

/** Keeps what is known of each ${thing.toLowerCase()} of area ${areas[number % 10]}. */
export class ${thing}${number}Book {
  readonly #seen = new Map<string, number>()
${steps.join('\n')}
}

/** Does the work of module ${number} for one ${thing.toLowerCase()}. */
export function ${name}(input: ${thing}${number}Input): number {
  const book = new ${thing}${number}Book()
  const own = book.step0(input)
  return ${['own', ...uses.map((use) => `(input.amount > own ? ${use}({ ...input, amount: own }) : 0)`)].join(' + ')}
}
`
}

/** Writes the repository and commits it. */
export function writeSourceRepository(root, count) {
  for (const area of areas) mkdirSync(path.join(root, 'src', area), { recursive: true })
  writeFileSync(
    path.join(root, 'package.json'),
    `${JSON.stringify({ name: 'shop', type: 'module', main: moduleFile(0) }, null, 2)}\n`,
  )
  writeFileSync(path.join(root, 'README.md'), '# Shop\n\nTakes orders, bills them and ships them.\n')
  for (let number = 0; number < count - 2; number += 1) {
    writeFileSync(path.join(root, moduleFile(number)), source(number, count - 2))
  }
  const git = (...args) => execFileSync('git', args, { cwd: root, stdio: 'ignore' })
  git('init', '--quiet', '--template=')
  git('config', 'user.name', 'Bench')
  git('config', 'user.email', 'bench@example.org')
  git('add', '.')
  git('commit', '--quiet', '--message', 'Begin')
}

/** Changes one file as somebody at work does, without committing it. */
export function changeOneFile(root, round) {
  writeFileSync(path.join(root, moduleFile(17)), `${source(17, 500)}\nexport const changed = ${round}\n`)
}
