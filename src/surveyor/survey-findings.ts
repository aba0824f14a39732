import { analyse } from './analysis.ts'
import { areaOf, areasOf, type Area } from './areas.ts'
import { focusOn } from './focus.ts'
import type { Mission } from './read-mission.ts'
import { dependencyRows } from './report/dependencies.ts'
import { mainLanguages } from './report/project.ts'
import { count } from './report/wording.ts'
import type { Survey } from './survey.ts'

/** A finding as the learning log takes it (spec §2.5). */
export interface Finding {
  category: 'discovery' | 'pattern' | 'convention' | 'gotcha'
  confidence: 'low' | 'medium' | 'high'
  tags: string[]
  text: string
}

function findingsOfArea(survey: Survey, { id, files }: Area): Finding[] {
  const links = areasOf(survey).links.filter(({ from, to }) => from === id || to === id)
  const told = links.map(({ from, to, imports }) => `${from} to ${to}: ${imports}`)
  const lines = files.reduce((sum, { facts }) => sum + facts.lines, 0)
  return [
    {
      category: 'discovery',
      confidence: 'high',
      tags: ['area'],
      text: `The area ${id} has ${count(files.length, 'module')} with ${count(lines, 'line')}; imports that cross its border: ${told.length === 0 ? 'none' : told.join(', ')}`,
    },
  ]
}

const listed = (items: readonly string[], limit: number): string =>
  items.slice(0, limit).join(', ') + (items.length > limit ? ` and ${items.length - limit} more` : '')

/** What is worth remembering of a survey, at most a dozen findings: what was counted is certain, what was inferred is not. */
export const findingsOf = (survey: Survey, mission: Mission): Finding[] =>
  survey.remember('findings', mission, () => findAnew(survey, mission))

function findAnew(survey: Survey, mission: Mission): Finding[] {
  const area = areaOf(survey, mission)
  if (area !== undefined) return findingsOfArea(survey, area)
  const analysis = analyse(survey)
  const focus = focusOn(survey, mission)
  const found: Finding[] = []
  const add = (
    category: Finding['category'],
    confidence: Finding['confidence'],
    tags: string[],
    text: string | false,
  ): void => {
    if (text !== false) found.push({ category, confidence, tags, text })
  }
  const lines = analysis.sources.reduce((sum, file) => sum + file.facts.lines, 0)
  add(
    'discovery',
    'high',
    ['size'],
    `${count(survey.files.length, 'file')} ${survey.files.length === 1 ? 'was' : 'were'} read, ${count(analysis.sources.length, 'source module')} with ${count(lines, 'line')} among them${analysis.sources.length > 0 ? ` of ${mainLanguages(analysis).join(', ')}` : ''}; ${survey.leftOut.length} left out`,
  )
  if (focus !== undefined && focus.files.length > 0) {
    add(
      'discovery',
      'medium',
      ['mission'],
      `The mission's words lead to ${listed(
        focus.files.map(({ file }) => file.path),
        5,
      )}`,
    )
    const symbols = focus.symbols
      .slice(0, 5)
      .map(({ path, symbol }) => `${symbol.name} (${path}:${symbol.line})`)
    add(
      'discovery',
      'medium',
      ['mission', 'symbols'],
      symbols.length > 0 && `The symbols closest to the mission are ${symbols.join(', ')}`,
    )
  }
  const top = analysis.ranking.slice(0, 5)
  add(
    'pattern',
    'high',
    ['modules'],
    top.length > 0 &&
      `Most depended-on modules: ${top.map(({ file, bySources, byTests }) => `${file.path} (${bySources.length} modules, ${byTests.length} tests)`).join(', ')}`,
  )
  add(
    'discovery',
    'high',
    ['entry-points'],
    survey.manifests.some(({ entries }) => entries.length > 0) &&
      `Declared entry points: ${listed(
        survey.manifests.flatMap(({ entries }) =>
          entries.map(({ what, target }) => `${what.replaceAll('`', '')} (${target})`),
        ),
        5,
      )}`,
  )
  add(
    'gotcha',
    'high',
    ['cycles'],
    analysis.cycles.length > 0 &&
      `${analysis.cycles.length} groups of modules import each other in a circle, such as ${analysis.cycles[0]?.way.join(' -> ') ?? ''}`,
  )
  add(
    'gotcha',
    'medium',
    ['folders'],
    analysis.mutualFolders.length > 0 &&
      `Folders that use each other: ${listed(
        analysis.mutualFolders.map(([link]) => `${link.from} and ${link.to}`),
        4,
      )}`,
  )
  add(
    'discovery',
    'high',
    ['dependencies'],
    dependencyRows(survey).length > 0 &&
      `${dependencyRows(survey).filter(({ development }) => !development).length} packages are declared for use and ${dependencyRows(survey).filter(({ development }) => development).length} for development`,
  )
  add(
    'pattern',
    'medium',
    ['tests'],
    analysis.tests.length > 0 &&
      `${analysis.tests.length} test files; ${analysis.testsOf.size} modules are imported by a test, called by one of their name or hold tests, ${analysis.untested.length} are imported by none, even through others`,
  )
  add(
    'gotcha',
    'high',
    ['tests'],
    analysis.tests.length === 0 && analysis.sources.length > 0 && 'There are no test files',
  )
  const hot = analysis.hotSpots.slice(0, 4)
  add(
    'pattern',
    'medium',
    ['history'],
    hot.length > 0 &&
      `Change concentrates in ${hot.map(({ file, history }) => `${file.path} (${history.commits} commits)`).join(', ')}`,
  )
  return found
}

/** The insights of a survey in a few lines, for the milestone that asks for them. */
export const insightsOf = (findings: readonly Finding[]): string =>
  findings.map(({ text }) => `- ${text}`).join('\n')
