import type { Scenario } from '../scenario.ts'
import { goalBegins, goalGathers, goalGoesOn, goalPauses } from './goals.ts'
import { beginAnew } from './missions.ts'
import { offboardDirectory, offboardWorktree } from './offboarding.ts'
import { chatByHost, chatOnce } from './chat.ts'
import { launch, launchReset, runFromNothing } from './sessions.ts'
import { acknowledge, archiveSignals, quarantine, send, sendByTeam, sendMany } from './signals.ts'
import { skillsSync } from './skills.ts'
import {
  stepAccepted,
  stepAnswers,
  stepMovesStatus,
  stepRefused,
  stepRefusedWithAlert,
  stepSeveral,
} from './steps.ts'
import { archive, init, onboardDirectory, onboardWorktree, registryUpdate, reset } from './teams.ts'

/** What is killed at every point. */
export const killed: readonly Scenario[] = [
  send,
  sendByTeam,
  sendMany,
  acknowledge,
  quarantine,
  archiveSignals,
  stepAccepted,
  stepRefused,
  stepRefusedWithAlert,
  stepMovesStatus,
  stepSeveral,
  stepAnswers,
  registryUpdate,
  init,
  onboardDirectory,
  onboardWorktree,
  reset,
  archive,
  offboardDirectory,
  offboardWorktree,
  skillsSync,
  chatOnce,
  chatByHost,
  goalBegins,
  goalGoesOn,
  goalGathers,
  goalPauses,
  launch,
  launchReset,
  beginAnew,
  runFromNothing,
]

/** What has git do something that it could be killed in. */
export const killedInGit: readonly Scenario[] = [onboardWorktree, offboardWorktree, beginAnew]

/** What is stopped at every point, while others go on with the team `docs`. */
export const stopped: readonly Scenario[] = [
  send,
  sendMany,
  stepAccepted,
  stepRefusedWithAlert,
  stepMovesStatus,
  stepSeveral,
  registryUpdate,
  onboardDirectory,
  reset,
  archive,
  offboardDirectory,
  offboardWorktree,
  skillsSync,
]
