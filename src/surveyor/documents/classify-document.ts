import { isExample, isTest } from '../classify.ts'

const MARKDOWN = /\.(?:md|markdown)$/i

/** Documents that tell of the past or of plans, and those that only make a text of others. */
const OF_ANOTHER_TIME =
  /(?:^|[/_.-])(?:change-?logs?|changes|history|news|releases?(?:[_.-]?notes)?|migrat\w*|upgrad\w*|roadmap|todo|backlog|plans?|proposals?|rfcs?|adrs?|decisions?|archive[ds]?|blog|posts?|announcements?|changesets?|postmortems?|incidents?|retro\w*|reports?|audits?|specs?|prd|tasks?|templates?|legacy|old|research|notes|ideas|drafts?)(?=$|[/_.-])|\d{4}-\d{2}-\d{2}|(?:^|\/)v?\d+(?:\.\d+|\.x)+(?:\/|\.md$)/i

/** Whether a document speaks of this repository as it is, so that what it names ought to be there. */
export const isChecked = (path: string): boolean =>
  MARKDOWN.test(path) &&
  !OF_ANOTHER_TIME.test(path) &&
  !isTest(path) &&
  !isExample(path) &&
  !/(?:^|\/)[\w-]*template[\w-]*(?:\/|\.)/i.test(path)

/** Documents for those who work on the project: their commands are its own. */
export const isForContributors = (path: string): boolean =>
  /(?:^|\/)(?:contribut\w*|develop\w*|hacking|architecture|agents|claude|copilot-instructions|building|testing|internals)(?:[._-][\w-]+)?\.\w+$/i.test(
    path,
  ) || /(?:^|\/)(?:contributing|development|developers?|dev|internals|architecture|design)\//i.test(path)

const RANKS: readonly RegExp[] = [
  /^(?:docs?\/|\.github\/)?architecture[\w.-]*\.\w+$/i,
  /(?:^|\/)architecture(?:[._-][\w-]*)?\.\w+$|(?:^|\/)architecture\//i,
  /(?:^|[/_-])design(?:s|[_-]?docs?|document)?(?:[._-][\w-]*)?\.\w+$|DesignDocument\.\w+$|(?:^|\/)design(?:-docs)?\//i,
  /^(?:docs?\/|\.github\/)?(?:contributing|development|developing|hacking|internals)[\w-]*\.\w+$/i,
  /^(?:agents|claude)\.md$/i,
  /^(?:[^/]+\/){0,2}(?:overview|concepts|internals|how[-_]it[-_]works|structure|glossary)[\w-]*\.\w+$/i,
]

/** How much a document tells of the architecture, from 0, the most; undefined where its name does not say. */
export function rankOf(path: string): number | undefined {
  if (
    isExample(path) ||
    isTest(path) ||
    /(?:^|\/)(?:archive[ds]?|templates?|\.changeset|versioned_docs|node_modules)\//i.test(path)
  )
    return undefined
  const rank = RANKS.findIndex((form) => form.test(path))
  return rank < 0 ? undefined : rank + Math.min(9, path.split('/').length - 1) / 10
}
