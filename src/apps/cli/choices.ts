/**
 * Values that options take. They stand here too so that showing a help loads no schema; the compiler holds
 * them to the protocol's own lists.
 */
import type {
  confidenceLevels as levels,
  learningCategories as categories,
  OTHER as otherWord,
} from '../../protocol/learning.ts'
import type { placementTypes as placements, PlacementType } from '../../protocol/registry-schema.ts'
import type { signalTypes as types } from '../../protocol/signal.ts'
import type { confinementModes as modes, ConfinementMode } from '../../protocol/config-confinement.ts'

export type { ConfinementMode, PlacementType }
export const signalTypes: typeof types = ['directive', 'question', 'report', 'alert']
/** Help of `--as-mission`, for all commands that take it. */
export const asMissionHelp = 'send it although it is almost a control word, such as pause or merged'
export const placementTypes: typeof placements = ['worktree', 'directory']
export const learningCategories: typeof categories = [
  'discovery',
  'pattern',
  'convention',
  'gotcha',
  'technique',
  'correction',
]
export const confidenceLevels: typeof levels = ['low', 'medium', 'high']
/** The group of findings whose category or confidence is none of fed's words. */
export const OTHER: typeof otherWord = 'other'
/** Help of `--into`, for all commands that take it. */
export const INTO =
  "branch into which the team's work is to be merged (default: `target`, else the one checked out)"
export const confinementModes: typeof modes = ['auto', 'on', 'off']
