// Proves that the page of a team's day goes as it is written: its agent is saved, its configuration is written, each
// command is typed in order, ends as the page says, and prints the lines that stand below it. Fails when a command, an
// answer or the page changes without the other.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { builtFed, newFolder, pathWith } from '../../support/fed.ts'

const page = new URL('../../../src/docs/first-day.md', import.meta.url)

interface Block {
  readonly language: string
  readonly text: string
}

function blocksOf(text: string): Block[] {
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', body = '']) => ({
    language,
    text: body,
  }))
}

interface Typed {
  readonly command: string
  /** What the page says of how it ends; 0 where it says nothing. */
  readonly code: number
  /** Lines that it prints; an ellipsis stands for anything. */
  readonly lines: readonly string[]
}

function typedIn({ text }: Block): Typed[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((typed) => {
      const [command = '', ...lines] = typed.trimEnd().split('\n')
      const [, code = '0'] = /# ends with (\d+)/.exec(command) ?? []
      return { command, code: Number(code), lines }
    })
}

function asPattern(line: string): RegExp {
  const parts = line.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`)
}

test('every command of the page does what stands below it', () => {
  const blocks = blocksOf(readFileSync(page, 'utf8'))
  const script = blocks.find(({ language }) => language === 'sh')?.text ?? ''
  const programs = { fed: `exec '${process.execPath}' '${builtFed}' "$@"`, 'my-agent': script }
  const env = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(FED_|GIT_)/.test(name))),
    FED_TELEMETRY_ENABLED: 'false',
    PATH: pathWith(programs),
  }
  let cwd = newFolder('day')
  for (const block of blocks) {
    if (block.language === 'json') writeFileSync(path.join(cwd, 'federate.config.json'), block.text)
    if (block.language !== 'console') continue
    for (const { command, code, lines } of typedIn(block)) {
      const [, folder] = /^cd (\S+)$/.exec(command) ?? []
      if (folder !== undefined) {
        cwd = path.join(cwd, folder)
        continue
      }
      const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { cwd, env, encoding: 'utf8' })
      expect([command, status], stderr).toEqual([command, code])
      const printed = (stdout + stderr).split('\n')
      const missing = lines.filter((line) => !printed.some((one) => asPattern(line).test(one)))
      expect([command, missing], stdout + stderr).toEqual([command, []])
    }
  }
})
