import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { builtFed, newFolder } from './fed.ts'

/** A copy of the built package, whose skills a test may change as a later release would. */
export function installedFed(): {
  readonly program: string
  ship(skill: string, change: (text: string) => string): void
} {
  const installed = newFolder('package')
  const repository = path.dirname(path.dirname(builtFed))
  for (const part of ['dist', 'package.json', path.join('src', 'records', 'skills')])
    cpSync(path.join(repository, part), path.join(installed, part), { recursive: true })
  return {
    program: path.join(installed, 'dist', 'fed.js'),
    ship(skill, change) {
      const file = path.join(installed, 'src', 'records', 'skills', 'shipped', skill)
      writeFileSync(file, change(readFileSync(file, 'utf8')))
    },
  }
}
