import {
  categoryOf,
  confidenceLevels,
  confidenceOf,
  OTHER,
  type Category,
  type Confidence,
  type Learning,
} from '../../protocol/learning.ts'
import { groupAlike, likeness, wordsOf } from './likeness.ts'

/** Which findings are asked for; what is not given is not asked. */
export interface FindingFilter {
  readonly categories?: readonly (Category | typeof OTHER)[]
  /** A finding must have all of them. */
  readonly tags?: readonly string[]
  /** At least so sure; or those that say it in other words, which have no order. */
  readonly confidence?: Confidence | typeof OTHER
  /** Milliseconds since 1970; the limits themselves are included. */
  readonly since?: number
  readonly until?: number
  /** Words that the finding holds, in whatever order and case. */
  readonly text?: string
}

/** Whether a finding is asked for. */
export function matches(finding: Learning, filter: FindingFilter): boolean {
  const { categories = [], tags = [], confidence, since, until, text = '' } = filter
  const at = Date.parse(finding.timestamp)
  return (
    (categories.length === 0 || categories.includes(categoryOf(finding))) &&
    tags.every((tag) => finding.tags.includes(tag)) &&
    (confidence === undefined || isAsSure(finding, confidence)) &&
    (since === undefined || at >= since) &&
    (until === undefined || at <= until) &&
    text
      .toLowerCase()
      .split(/\s+/)
      .every((word) => finding.content.toLowerCase().includes(word))
  )
}

function isAsSure(finding: Learning, wanted: Confidence | typeof OTHER): boolean {
  const known = confidenceOf(finding)
  if (known === OTHER || wanted === OTHER) return known === wanted
  return confidenceLevels.indexOf(known) >= confidenceLevels.indexOf(wanted)
}

/** What several teams found alike. */
export interface SharedFinding {
  readonly teams: readonly string[]
  /** The first one is what the others are alike to. */
  readonly findings: readonly Learning[]
  /** The words that all of them have. */
  readonly words: readonly string[]
  /** How alike the least alike of them is to the first: the share of words that both have, from 0 to 1. */
  readonly likeness: number
}

/** Findings of all teams, the oldest first. */
export function inOrder(findings: readonly Learning[]): Learning[] {
  return findings.toSorted(
    (a, b) =>
      Date.parse(a.timestamp) - Date.parse(b.timestamp) ||
      (a.domain < b.domain ? -1 : Number(a.domain > b.domain)),
  )
}

/**
 * What at least two teams found alike, by the rule of `likeness.ts`; what most teams found comes first.
 * @param findings the oldest first.
 */
export function foundAlike(findings: readonly Learning[]): SharedFinding[] {
  return groupAlike(findings.map(({ content }) => content))
    .map((group) => group.map((position) => findings[position] as Learning))
    .flatMap((group) => {
      const teams = [...new Set(group.map(({ domain }) => domain))].toSorted()
      if (teams.length < 2) return []
      const [first = new Set<string>(), ...others] = group.map(({ content }) => wordsOf(content))
      return [
        {
          teams,
          findings: group,
          words: [...first].filter((word) => others.every((words) => words.has(word))).toSorted(),
          likeness: Math.min(...others.map((words) => likeness(first, words))),
        },
      ]
    })
    .toSorted((a, b) => b.teams.length - a.teams.length)
}
