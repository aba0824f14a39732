import { describeFolder } from './describe.ts'
import type { Survey } from '../survey.ts'
import type { SurveyedFile } from '../surveyed-file.ts'
import { code, paragraphs, table } from './write-markdown.ts'
import type { Section } from './write-markdown.ts'
import { figure } from './wording.ts'

const MOST_ROWS = 30

interface Folder {
  path: string
  files: SurveyedFile[]
}

/** The folders that matter with what each is for; a folder that holds much is opened further. */
export function directoriesSection(survey: Survey, only?: string): Section {
  const all =
    only === undefined ? survey.files : survey.files.filter(({ path }) => path.startsWith(`${only}/`))
  const rows: Folder[] = []
  const visit = (path: string, files: SurveyedFile[]): void => {
    const below = group(path, files)
    const open = [...below].filter(([folder, inner]) => inner.length > 1 || folder.split('/').length === 1)
    rows.push({ path, files: path === '.' ? files.filter((file) => !file.path.includes('/')) : files })
    const share = files.length / Math.max(1, survey.files.length)
    // Tests and examples are told as wholes; their folders follow what they test or show.
    const isMain =
      files.some(({ role }) => role === 'source') ||
      survey.files.every(({ language }) => language === undefined)
    if (path !== '.' && path !== only && !isMain) return
    if (
      path !== '.' &&
      path !== only &&
      share < 0.12 &&
      !(files.length > 25 && open.length > 2 && open.length < 12)
    )
      return
    for (const [folder, inner] of open.slice(0, 24)) visit(folder, inner)
  }
  visit(only ?? '.', all)
  const shown = rows.filter(({ files }) => files.length > 0)
  const kept = shown.length <= MOST_ROWS ? shown : thin(shown)
  const body = table(
    ['Folder', 'What is there', 'Files', 'Lines'],
    kept.map(({ path, files }) => [
      path === '.' ? 'top level' : code(`${path}/`),
      describeFolder(survey, path, files),
      figure(files.length),
      figure(files.reduce((sum, file) => sum + file.facts.lines, 0)),
    ]),
  )
  const left = shown.length - kept.length
  return {
    title: 'Directories',
    body: paragraphs(
      'What a folder says of itself (its README, manifest or opening comment) is given as it stands; “by its name” marks a guess from convention, and a mere list of contents means that nothing there says more.',
      body,
      left > 0 && `${figure(left)} smaller folders are not listed.`,
    ),
  }
}

function group(path: string, files: readonly SurveyedFile[]): Map<string, SurveyedFile[]> {
  const prefix = path === '.' ? '' : `${path}/`
  const found = new Map<string, SurveyedFile[]>()
  for (const file of files) {
    const rest = file.path.slice(prefix.length)
    if (!rest.includes('/')) continue
    // A chain of folders that only hold each other is one step: src/main/java/org/example.
    const folder = prefix + (rest.split('/')[0] ?? '')
    found.set(folder, [...(found.get(folder) ?? []), file])
  }
  return new Map([...found].map(([folder, inner]) => [deepest(folder, inner), inner]))
}

function deepest(folder: string, files: readonly SurveyedFile[]): string {
  let at = folder
  for (;;) {
    const next = new Set(files.map(({ path }) => path.slice(at.length + 1).split('/')))
    const firsts = new Set([...next].map((parts) => (parts.length > 1 ? (parts[0] ?? '') : '')))
    const [first] = firsts
    if (firsts.size !== 1 || first === undefined || first === '') return at
    at = `${at}/${first}`
  }
}

/** Keeps the shallow and the large, in their order. */
function thin(rows: Folder[]): Folder[] {
  const kept = new Set(
    rows
      .toSorted(
        (a, b) => depth(a) - depth(b) || b.files.length - a.files.length || (a.path < b.path ? -1 : 1),
      )
      .slice(0, MOST_ROWS),
  )
  return rows.filter((row) => kept.has(row))
}

const depth = (folder: Folder): number =>
  folder.path === '.' ? 0 : Math.max(1, folder.path.split('/').length)
