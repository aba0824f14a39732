// Proves that what fed keeps of skills as they were installed loses no words and gathers no litter: a copy that was
// changed by hand stays beside its successor, and what a killed synchronization left goes. Fails when one is replaced
// without a trace, or when a temporary file stays for good or is taken from a process at work.
import { chmodSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { fed, fedDone, newFederation, workspaceOf } from '../../support/fed.ts'

const files = (root: string) => path.join(workspaceOf(root, 'docs'), '.fed', 'skills', '.original')

test('a copy that somebody changed stays beside the one that takes its place', async () => {
  const root = await newFederation({ docs: undefined })
  const original = path.join(files(root), 'diagram-tools.md')
  chmodSync(original, 0o644)
  writeFileSync(original, 'changed by hand\n')
  await fedDone(root, ['skills', 'sync', 'docs'])
  const kept = readdirSync(files(root)).filter((name) => name.startsWith('diagram-tools.md.earlier-'))
  expect(kept.map((name) => readFileSync(path.join(files(root), name), 'utf8'))).toEqual([
    'changed by hand\n',
  ])
  await fedDone(root, ['skills', 'sync', 'docs'])
  expect(readdirSync(files(root)).filter((name) => name.includes('.earlier-'))).toEqual(kept)
})

test('temporary files of processes that are gone go, those of one that may be at work stay', async () => {
  const root = await newFederation({ docs: undefined })
  const [dead, running, unknown, old] = [4_194_305, process.pid, '', '-'].map((author, index) => {
    const name = `.1111111${index}-2222-4333-8444-555555555555${typeof author === 'number' ? `.${author}` : ''}.tmp`
    writeFileSync(path.join(files(root), name), '')
    return name
  }) as [string, string, string, string]
  const then = new Date(Date.now() - 2 * 24 * 3_600_000)
  utimesSync(path.join(files(root), old), then, then)
  expect((await fed(root, ['doctor'])).stdout).toContain('1 temporary file of killed writers')
  await fedDone(root, ['skills', 'sync', 'docs'])
  const left = readdirSync(files(root)).filter((name) => name.endsWith('.tmp'))
  expect(left.toSorted()).toEqual([running, unknown, old].toSorted())
  expect(left).not.toContain(dead)
})
