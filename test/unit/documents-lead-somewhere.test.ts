// Proves that whatever README, manual and decisions link to is there, headings too, and that the page of files names all
// that fed writes. Fails when a file or a heading was renamed and a page still names the old one.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { federationLayout, workspaceLayout } from '../../src/protocol/folder-layout.ts'

const root = path.resolve(import.meta.dirname, '../..')
const pages = [
  ...['README.md', path.join('src', 'ARCHITECTURE.md')],
  ...['.github', path.join('src', 'docs'), path.join('src', 'decisions')].flatMap((folder) =>
    readdirSync(path.join(root, folder)).map((name) => path.join(folder, name)),
  ),
]

/** What a page's headings are linked by. */
function anchorsIn(file: string): string[] {
  const headings = readFileSync(file, 'utf8').matchAll(/^#{1,6} (.+)$/gm)
  return [...headings].map(([, words = '']) =>
    words
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s-]/gu, '')
      .replace(/\s/g, '-'),
  )
}

/** Links and pictures of a page that lead to nothing in the repository. */
function lost(page: string): string[] {
  const file = path.join(root, page)
  const text = readFileSync(file, 'utf8').replace(/^```[\s\S]*?^```/gm, '')
  const links = [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)]
  return links
    .map(([, link, picture]) => link ?? picture ?? '')
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [place = '', anchor] = link.split('#')
      const target = place === '' ? file : path.resolve(path.dirname(file), place)
      return !existsSync(target) || (anchor !== undefined && !anchorsIn(target).includes(anchor))
    })
}

test.each(pages)('%s', (page) => {
  expect(lost(page)).toEqual([])
})

test('the page of files names each of them', () => {
  const text = readFileSync(path.join(root, 'src', 'docs', 'files.md'), 'utf8')
  const places = [federationLayout('/'), workspaceLayout('/')].flatMap((layout) => Object.values(layout))
  const unnamed = places.map((place) => path.basename(place)).filter((name) => !text.includes(name))
  expect(unnamed).toEqual([])
})
