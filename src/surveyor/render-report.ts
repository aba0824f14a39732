import { analyse } from './analysis.ts'
import type { Analysis } from './analysis.ts'
import { areaOf, areasOf } from './areas.ts'
import { focusOn } from './focus.ts'
import type { Focus } from './focus.ts'
import type { Mission } from './read-mission.ts'
import {
  focusDocumentsSection,
  focusHistorySection,
  focusNextSteps,
  focusTestsSection,
  foundSection,
  keyCodeSection,
} from './report/focus-sections.ts'
import { chooseSymbols } from './report/choose-symbols.ts'
import { waySection } from './report/answer-way.ts'
import { usersSection } from './report/focus-users.ts'
import { codeLookSection } from './report/code-look.ts'
import { areaReport } from './report/area-report.ts'
import { aspectSection, generalSections } from './report/general-report.ts'
import { code, documentOf, list, paragraphs, prose } from './report/write-markdown.ts'
import type { Section } from './report/write-markdown.ts'
import { nextStepsSection } from './report/next-steps.ts'
import { projectName, projectSummary } from './report/project.ts'
import { leftOutSection } from './report/structure-sections.ts'
import { count, enumeration, paths } from './report/wording.ts'
import { isWeak } from './shortcomings.ts'
import type { Survey } from './survey.ts'

/**
 * The report on a survey as Markdown, steered by the mission (spec §2.6). The same survey and mission give
 * the same bytes.
 */
export const renderReport = (survey: Survey, mission: Mission): string =>
  survey.remember('reports', mission, () => render(survey, mission))

function render(survey: Survey, mission: Mission): string {
  const analysis = analyse(survey)
  const area = areaOf(survey, mission)
  if (area !== undefined) return areaReport(survey, analysis, areasOf(survey), area, madeBy(survey))
  const focus = focusOn(survey, mission)
  const name = projectName(survey)
  const found = focus !== undefined && focus.files.length + focus.documents.length > 0 ? focus : undefined
  const isWhole = mission.isGeneral || found === undefined
  const missed = missedSection(mission, focus, found !== undefined)
  const made = madeBy(survey)
  if (found !== undefined && !isWhole) {
    const summary = focusSummary(survey, found)
    const sections = [
      ...focusSections(survey, analysis, found),
      ...mission.aspects
        .filter((aspect) => !['tests', 'change'].includes(aspect))
        .map((aspect) => aspectSection(aspect, survey, analysis, true)),
    ]
    return documentOf(titleFor(mission, name), summary, made, [
      ...sections,
      codeLookSection(survey, sections),
      missed,
      focusNextSteps(analysis, found),
    ])
  }
  const sections = [
    ...(found === undefined ? [] : focusSections(survey, analysis, found)),
    ...generalSections(survey, analysis, mission.aspects),
  ]
  const title =
    mission.aspects.length > 0 && !mission.isGeneral
      ? titleFor(mission, name)
      : `Architecture of ${prose(name)}`
  // A mission whose words lead nowhere gets the map: its reader has to find the right words in it.
  return documentOf(title, projectSummary(survey, analysis, name), made, [
    ...(found === undefined ? [missed] : []),
    ...sections,
    codeLookSection(survey, sections),
    leftOutSection(survey),
    ...(found === undefined ? [] : [missed]),
    nextStepsSection(survey, analysis),
  ])
}

function focusSections(survey: Survey, analysis: Analysis, focus: Focus): Section[] {
  const sections =
    focus.files.length === 0
      ? []
      : [
          foundSection(survey, focus),
          waySection(survey, focus),
          keyCodeSection(survey, focus),
          usersSection(survey, focus),
          focusTestsSection(analysis, focus),
        ]
  return [...sections, focusDocumentsSection(focus), focusHistorySection(survey, focus)]
}

function titleFor(mission: Mission, name: string): string {
  const title = prose(mission.title)
  return title.toLowerCase().includes(name.toLowerCase()) ? title : `${title} — ${prose(name)}`
}

/** Two sentences: where the answer stands, and what it rests on. */
function focusSummary(survey: Survey, focus: Focus): string {
  const top = focus.files.slice(0, 3)
  if (top.length === 0)
    return `No code speaks of this, but ${count(focus.documents.length, 'document')} ${focus.documents.length === 1 ? 'does' : 'do'}, ${code(focus.documents[0]?.file.path ?? '')} most of all. They are listed below with the lines to start at.`
  const symbols = [...new Set(chooseSymbols(focus).map(({ symbol }) => code(symbol.name)))].slice(0, 3)
  const users = new Set(
    top
      .flatMap(({ file }) => survey.graph.dependents.get(file.path) ?? [])
      .filter((path) => survey.byPath.get(path)?.role === 'source'),
  )
  const where = `${isWeak(focus) ? 'Little in the repository matches the mission; the nearest stands in' : 'The answer stands mostly in'} ${enumeration(top.map(({ file }) => code(file.path)))}${symbols.length > 0 ? `, around ${enumeration(symbols)}` : ''}.`
  const rest = `${users.size === 0 ? `No other module imports ${top.length === 1 ? 'it' : 'them'}` : `${count(users.size, 'other module')} ${users.size === 1 ? 'depends' : 'depend'} on ${top.length === 1 ? 'it' : 'them'}`}, and ${focus.tests.length === 0 ? 'no test file speaks of the topic' : `${count(focus.tests.length, 'test file')} ${focus.tests.length === 1 ? 'speaks' : 'speak'} of the topic`}.`
  return `${where} ${rest}`
}

/** Who made the report and of what: the one line that tells a reader how far to trust it. */
function madeBy(survey: Survey): string {
  const at =
    survey.head === undefined
      ? 'a repository without commits'
      : `commit ${code(survey.head.commit.slice(0, 12))} of ${survey.head.date}`
  const changed =
    survey.changed.length === 0
      ? ''
      : ` ${count(survey.changed.length, 'file')} in the working tree ${survey.changed.length === 1 ? 'differs' : 'differ'} from that commit and ${survey.changed.length === 1 ? 'was' : 'were'} read as ${survey.changed.length === 1 ? 'it stands' : 'they stand'}: ${paths(survey.changed, 5)}.`
  return `Made by a deterministic surveyor without a language model from ${at}: it states what parsing, imports and history show, and understands nothing.${changed}`
}

function missedSection(mission: Mission, focus: Focus | undefined, found: boolean): Section {
  const unknown = focus?.terms.filter(({ files }) => files === 0).map(({ word }) => `“${prose(word)}”`) ?? []
  const missing = (focus?.missingPaths ?? []).map(
    ({ path, near }) =>
      `There is no ${code(path)} in the repository${near.length > 0 ? `; the nearest names are ${paths(near, 3)}` : ''}`,
  )
  const items = [
    ...mission.cannot.map(({ asked, reason }) => `“${prose(asked)}”: ${reason}`),
    ...missing,
    ...(unknown.length > 0 && found
      ? [
          `${enumeration(unknown)}: ${unknown.length === 1 ? 'the word stands' : 'the words stand'} nowhere in the repository`,
        ]
      : []),
  ]
  const nothing = focus !== undefined && !found
  return {
    title: 'What this report does not answer',
    body: paragraphs(
      nothing &&
        unknown.length > 0 &&
        `Nothing in the repository matches ${enumeration(unknown)}. Here is the general map instead; the project's own words for it may be in there.`,
      items.length > 0 &&
        'The mission also asks for what a survey cannot give:'.replace(
          'The mission also asks for what a survey cannot give:',
          mission.cannot.length > 0 ? 'The mission asks for more than a survey can give:' : 'Not found:',
        ),
      list(items),
    ),
  }
}
