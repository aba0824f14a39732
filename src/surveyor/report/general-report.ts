import type { Analysis } from '../analysis.ts'
import type { Survey } from '../survey.ts'
import { changeSection } from './change.ts'
import { coreModulesSection } from './core-modules.ts'
import { dependenciesSection } from './dependencies.ts'
import { directoriesSection } from './directories.ts'
import { documentsSection } from './documents.ts'
import { entryPointsSection } from './entry-points.ts'
import type { Section } from './write-markdown.ts'
import { moduleMap } from './module-map.ts'
import { projectSection } from './project.ts'
import { publicApiSection } from './public-api.ts'
import { cyclesSection } from './structure-sections.ts'
import { testsSection } from './tests-section.ts'
import { staleSection, writtenSection } from './written-documents.ts'

/** The questions that a mission may ask by name; each is one section of the general survey. */
const ASPECTS = [
  'what',
  'directories',
  'map',
  'entries',
  'api',
  'core',
  'cycles',
  'dependencies',
  'tests',
  'change',
] as const
export type Aspect = (typeof ASPECTS)[number]

/** One section of the general survey; asked for by name it gets three times the room. */
export function aspectSection(aspect: Aspect, survey: Survey, analysis: Analysis, asked: boolean): Section {
  const room = asked ? 3 : 1
  switch (aspect) {
    case 'what':
      return projectSection(survey)
    case 'directories':
      return directoriesSection(survey)
    case 'map':
      return moduleMap(survey, analysis)
    case 'entries':
      return entryPointsSection(survey, room)
    case 'api':
      return publicApiSection(survey, analysis)
    case 'core':
      return coreModulesSection(survey, analysis, asked ? 2 : 1)
    case 'cycles':
      return cyclesSection(analysis, room)
    case 'dependencies':
      return dependenciesSection(survey, room)
    case 'tests':
      return testsSection(survey, analysis, room)
    case 'change':
      return changeSection(survey, analysis, room)
  }
}

/** The whole survey in its usual order, what the mission asked for first. */
export function generalSections(survey: Survey, analysis: Analysis, asked: readonly Aspect[]): Section[] {
  const hasCode = analysis.sources.length + analysis.tests.length > 0
  const usual = ASPECTS.filter(
    (aspect) =>
      // Every symbol with its signature is a document of its own: only for those who ask.
      (aspect !== 'api' || asked.includes('api')) &&
      (hasCode || ['what', 'directories', 'change'].includes(aspect)),
  )
  const order = [
    ...asked.filter((aspect) => usual.includes(aspect)),
    ...usual.filter((aspect) => !asked.includes(aspect)),
  ]
  return [
    writtenSection(survey),
    ...order.map((aspect) => aspectSection(aspect, survey, analysis, asked.includes(aspect))),
    staleSection(survey),
    documentsSection(survey, hasCode),
  ]
}
