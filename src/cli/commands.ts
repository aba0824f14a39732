import type { Command } from 'commander'
import { registerAck } from './ack.ts'
import { registerAlert } from './alert.ts'
import { registerArchiveSignals } from './archive-signals.ts'
import { registerChat } from './chat.ts'
import { registerCheck } from './check.ts'
import { registerCompletion } from './completion.ts'
import { registerConfig } from './config.ts'
import { registerControls } from './control.ts'
import { registerDashboard } from './dashboard.ts'
import { registerDiagram } from './diagram.ts'
import { registerDoctor } from './doctor.ts'
import { registerHistory } from './history.ts'
import { registerInbox } from './inbox.ts'
import { registerInit } from './init.ts'
import { registerInspect } from './inspect.ts'
import { registerLaunch } from './launch.ts'
import { registerLearn } from './learn.ts'
import { registerLearnings } from './learnings.ts'
import { registerMcp } from './mcp.ts'
import { registerMonitor } from './monitor.ts'
import { registerOffboard } from './offboard.ts'
import { registerOnboard } from './onboard.ts'
import { registerOutbox } from './outbox.ts'
import { registerPrompt } from './prompt.ts'
import { registerRead } from './read.ts'
import { registerReply } from './reply.ts'
import { registerReport } from './report.ts'
import { registerRun } from './run.ts'
import { registerSend } from './send.ts'
import { registerSkills } from './skills.ts'
import { registerStatus } from './status.ts'

/**
 * Every command by its name, in the order of the help: the main job first, then from setting up to looking
 * closely. By name, because only the one that is asked for needs to be declared.
 */
export const commands: Readonly<Record<string, (program: Command) => void>> = {
  run: registerRun,
  init: registerInit,
  onboard: registerOnboard,
  launch: registerLaunch,
  prompt: registerPrompt,
  monitor: registerMonitor,
  status: registerStatus,
  chat: registerChat,
  history: registerHistory,
  send: registerSend,
  reply: registerReply,
  inbox: registerInbox,
  outbox: registerOutbox,
  read: registerRead,
  ack: registerAck,
  'archive-signals': registerArchiveSignals,
  report: registerReport,
  alert: registerAlert,
  pause: registerControls,
  resume: registerControls,
  archive: registerControls,
  restore: registerControls,
  offboard: registerOffboard,
  learn: registerLearn,
  learnings: registerLearnings,
  skills: registerSkills,
  check: registerCheck,
  dashboard: registerDashboard,
  diagram: registerDiagram,
  inspect: registerInspect,
  config: registerConfig,
  doctor: registerDoctor,
  mcp: registerMcp,
  completion: registerCompletion,
}
