// Proves that authors are people and that changed lines are counted where git has them; fails when a bot, a second address or the end of a shallow clone counts.
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readMission } from '../../../src/surveyor/read-mission.ts'
import { renderReport } from '../../../src/surveyor/render-report.ts'
import { survey } from '../../../src/surveyor/survey.ts'
import { gitIn, repositoryOf, writeFiles } from '../../support/repository.ts'

const commitAs = (root: string, name: string, email: string, text: string): void => {
  writeFiles(root, { 'src/a.ts': `export const a = '${text}'\n` })
  gitIn(root, ['commit', '-q', '-a', '-m', text, `--author=${name} <${email}>`], '2024-06-01')
}

/** A clone by git's own transport, which alone makes shallow and partial ones. */
function cloneOf(root: string, ...options: string[]): string {
  const place = path.join(path.dirname(root), 'clone')
  gitIn(root, ['config', 'uploadpack.allowFilter', 'true'])
  execFileSync('git', ['clone', '-q', ...options, `file://${root}`, place], { stdio: 'pipe' })
  return place
}

test('a person with two addresses is one author, the mailmap joins what names do not, and bots are none', async () => {
  const root = repositoryOf({
    'src/a.ts': 'export const a = 1\n',
    '.mailmap': 'Ann Other <ann@example.org> <ann@old.example.org>\n',
  })
  commitAs(root, 'Ann Other', 'ann@example.org', 'one')
  commitAs(root, 'annie', 'ann@old.example.org', 'two')
  commitAs(root, 'Ann Other', 'ann@home.example.org', 'three')
  commitAs(root, 'Ben', 'ben@example.org', 'four')
  commitAs(root, 'Ben', 'BEN@example.org', 'five')
  commitAs(root, 'dependabot[bot]', '49699333+dependabot[bot]@users.noreply.github.com', 'six')
  commitAs(root, 'Renovate Bot', 'bot@renovateapp.com', 'seven')
  // a name of one word is many people's
  commitAs(root, 'mayor', 'one@example.org', 'eight')
  commitAs(root, 'mayor', 'two@example.org', 'nine')
  const { history } = await survey(root)
  expect(history?.authors).toBe(5)
  expect(history?.files['src/a.ts']).toMatchObject({ commits: 10, authors: 5, recentAuthors: 5 })
})

test('the commit at which a shallow clone ends adds no lines', async () => {
  const root = repositoryOf({ 'src/a.ts': 'export const a = 1\nexport const b = 2\n' })
  for (const text of ['one', 'two', 'three']) commitAs(root, 'A', 'a@example.org', text)
  const { history } = await survey(cloneOf(root, '--depth', '3'))
  expect(history).toMatchObject({ shallow: true, read: 3 })
  expect(history?.files['src/a.ts']).toMatchObject({ commits: 2, lines: { added: 2, deleted: 2 } })
})

test('a clone without old contents shows no changed lines, and fetches none', async () => {
  const root = repositoryOf({ 'src/a.ts': 'export const a = 1\n', 'src/b.ts': 'export const b = 1\n' })
  commitAs(root, 'A', 'a@example.org', 'one')
  commitAs(root, 'A', 'a@example.org', 'two')
  gitIn(root, ['mv', 'src/b.ts', 'src/c.ts'])
  gitIn(root, ['commit', '-q', '-m', 'Move b'])
  const clone = cloneOf(root, '--filter=blob:none')
  rmSync(root, { recursive: true })
  const found = await survey(clone)
  expect(found.history).toMatchObject({ read: 4 })
  expect(found.history?.past['src/b.ts']?.to).toBe('src/c.ts')
  expect(found.history?.files['src/a.ts']).toMatchObject({ commits: 3 })
  const report = renderReport(found, readMission('Document the architecture', ''))
  expect(report).toContain('Where change concentrates')
  expect(report).not.toContain('Changed lines')
})
