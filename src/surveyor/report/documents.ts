import type { Survey } from '../survey.ts'
import { code, list, paragraphs, prose } from './write-markdown.ts'
import { explainingDocuments } from './written-documents.ts'
import type { Section } from './write-markdown.ts'
import { count, enumeration, figure } from './wording.ts'

/** The documents with their titles; where there is no code they are the project, and their headings are told too. */
export function documentsSection(survey: Survey, hasCode: boolean): Section {
  const told = new Set(explainingDocuments(survey))
  const documents = survey.files
    .filter((file) => file.facts.title !== undefined && !(hasCode && told.has(file)))
    .toSorted((a, b) => a.path.split('/').length - b.path.split('/').length || (a.path < b.path ? -1 : 1))
  if (documents.length === 0) return { title: 'Documents', body: '' }
  const limit = hasCode ? 15 : 40
  const items = documents.slice(0, limit).map(({ path, facts }) => {
    const headings = hasCode ? [] : (facts.headings ?? []).slice(1, 9).map((heading) => `“${prose(heading)}”`)
    return `${code(path)}: “${prose(facts.title ?? '')}” (${count(facts.lines, 'line')})${headings.length > 0 ? `, with ${enumeration(headings)}` : ''}`
  })
  return {
    title: 'Documents',
    body: paragraphs(
      list(items),
      documents.length > limit && `And ${figure(documents.length - limit)} more.`,
    ),
  }
}
