import type { Analysis } from '../analysis.ts'
import type { Survey } from '../survey.ts'
import { code, list, paragraphs } from './write-markdown.ts'
import type { Section } from './write-markdown.ts'
import { count, enumeration, figure, paths } from './wording.ts'

/** A cycle as its way round. */
export const wayOf = (way: readonly string[]): string => way.map(code).join(' → ')

/** Modules, then folders, that depend on each other in a circle. */
export function cyclesSection(analysis: Analysis, room = 1): Section {
  const limit = 8 * room
  const items = analysis.cycles.slice(0, limit).map(({ members, way }) =>
    members.length + 1 === way.length
      ? wayOf(way)
      : `${count(members.length, 'module')} reach each other, the shortest way round being ${wayOf(way)}; among them ${paths(
          members.filter((path) => !way.includes(path)),
          4,
        )}`,
  )
  const languages = new Set(analysis.sources.map(({ language }) => language?.id))
  const outside = [
    ['go', 'Go'],
    ['rust', 'Rust'],
    ['csharp', 'C#'],
  ]
    .filter(([id]) => id !== undefined && languages.has(id))
    .map(([, name]) => name ?? '')
  const onlyOutside =
    outside.length > 0 && [...languages].every((id) => ['go', 'rust', 'csharp'].includes(id ?? ''))
  const counted =
    'Counted are imports that run when a module loads; type-only and lazy imports are not, since they close no circle at run time.'
  return {
    title: 'Import cycles',
    body: paragraphs(
      items.length > 0
        ? `${count(analysis.cycles.length, 'group')} of modules ${analysis.cycles.length === 1 ? 'imports' : 'import'} each other in a circle. ${counted}`
        : onlyOutside
          ? ''
          : `No module${outside.length > 0 ? ' of the other languages' : ''} imports itself through others. ${counted}`,
      list(items),
      analysis.cycles.length > limit &&
        `${figure(analysis.cycles.length - limit)} smaller ones are not listed.`,
      outside.length > 0 &&
        `Circles between files are not counted for ${enumeration(outside)}, where files of one package or crate see each other by design.`,
      (languages.has('java') || languages.has('php')) &&
        'What classes of one package or namespace use of each other needs no import, and is not counted.',
      languages.has('ruby') && 'What Ruby code uses without requiring it is not counted.',
      folderCircles(analysis, room),
    ),
  }
}

/** All circles of folders: pairs that use each other, larger groups, and folders with what is inside them. */
function folderCircles(
  { folderLinks, mutualFolders, nestedFolders, folderCircles: groups }: Analysis,
  room: number,
): string {
  if (folderLinks.length === 0) return ''
  const most = 24 * room
  const pairs = mutualFolders.map(
    ([there, back]) =>
      `${code(there.from)} and ${code(there.to)}: ${count(there.imports, 'import')} one way, ${figure(back.imports)} the other`,
  )
  const nested = nestedFolders.map(([{ from, to }]) => `${code(from)} with ${code(to)}`)
  const rule = 'Imports of types alone do not count.'
  return paragraphs(
    pairs.length + groups.length === 0
      ? `No folders that stand side by side use each other in a circle. ${rule}`
      : pairs.length > 0 &&
          `${count(pairs.length, 'pair')} of folders ${pairs.length === 1 ? 'uses' : 'use'} each other, so that neither can be understood or moved alone${pairs.length > most ? `; the ${figure(most)} strongest are listed` : ''}. ${rule}`,
    list(pairs.slice(0, most)),
    groups.length > 0 &&
      `${count(groups.length, 'group')} of three folders or more ${groups.length === 1 ? 'reaches itself' : 'reach themselves'} in a circle, directly or through others of the group:`,
    list(
      groups.map(
        ({ members, way }) => `${enumeration(members.map(code))}; a shortest way round is ${wayOf(way)}`,
      ),
    ),
    nested.length > 0 &&
      `Folders that use what is inside them and are used by it${nested.length > most ? `, ${figure(most)} of ${figure(nested.length)}` : ''}: ${enumeration(nested.slice(0, most))}.`,
  )
}

/** What was not read and why. */
export function leftOutSection(survey: Survey): Section {
  const byReason = new Map<string, string[]>()
  for (const { path, reason } of survey.leftOut) byReason.set(reason, [...(byReason.get(reason) ?? []), path])
  const items = [...byReason]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([reason, files]) =>
      `${reason.charAt(0).toUpperCase() + reason.slice(1)}: ${count(files.length, 'file')}, such as ${paths(files, 3)}`.replace(
        /: 1 file, such as /,
        ': 1 file, ',
      ),
    )
  const { untracked } = survey
  return {
    title: 'What was left out',
    body: paragraphs(
      items.length > 0 &&
        `${count(survey.leftOut.length, 'file')} ${survey.leftOut.length === 1 ? 'is' : 'are'} no part of the figures above.`,
      list(items),
      untracked.length > 0 &&
        `Not read, because git does not track ${untracked.length === 1 ? 'it' : 'them'}: ${paths(untracked, 4)}.`,
    ),
  }
}
