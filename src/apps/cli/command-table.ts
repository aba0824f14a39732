import type { Command } from 'commander'
import { registerAck } from './commands/ack.ts'
import { registerAlert } from './commands/alert.ts'
import { registerArchiveSignals } from './commands/archive-signals.ts'
import { registerChat } from './commands/chat.ts'
import { registerCheck } from './commands/check.ts'
import { registerCompletion } from './commands/completion.ts'
import { registerConfig } from './commands/config.ts'
import { registerControls } from './commands/control.ts'
import { registerCosts } from './commands/costs.ts'
import { registerDashboard } from './commands/dashboard.ts'
import { registerDiagram } from './commands/diagram.ts'
import { registerDoctor } from './commands/doctor.ts'
import { registerAnswer, registerGoal } from './commands/goal.ts'
import { registerHistory } from './commands/history.ts'
import { registerInbox } from './commands/inbox.ts'
import { registerInit } from './commands/init.ts'
import { registerInspect } from './commands/inspect.ts'
import { registerLaunch } from './commands/launch.ts'
import { registerLearn } from './commands/learn.ts'
import { registerLearnings } from './commands/learnings.ts'
import { registerLink } from './commands/link.ts'
import { registerMcp } from './commands/mcp.ts'
import { registerMonitor } from './commands/monitor.ts'
import { registerOffboard } from './commands/offboard.ts'
import { registerOnboard } from './commands/onboard.ts'
import { registerOutbox } from './commands/outbox.ts'
import { registerPlan } from './commands/plan.ts'
import { registerPrompt } from './commands/prompt.ts'
import { registerRead } from './commands/read.ts'
import { registerReply } from './commands/reply.ts'
import { registerReport } from './commands/report.ts'
import { registerRights } from './commands/rights.ts'
import { registerRun } from './commands/run.ts'
import { registerSend } from './commands/send.ts'
import { registerMove, registerSites, registerTakeover } from './commands/sites.ts'
import { registerSkills } from './commands/skills.ts'
import { registerStatus } from './commands/status.ts'
import { registerTrust } from './commands/trust.ts'

/**
 * Every command by its name, in the order of the help: the main job first, then from setting up to looking
 * closely. By name, because only the one that is asked for needs to be declared.
 */
export const commands: Readonly<Record<string, (program: Command) => void>> = {
  run: registerRun,
  goal: registerGoal,
  answer: registerAnswer,
  init: registerInit,
  onboard: registerOnboard,
  launch: registerLaunch,
  prompt: registerPrompt,
  monitor: registerMonitor,
  status: registerStatus,
  chat: registerChat,
  history: registerHistory,
  costs: registerCosts,
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
  plan: registerPlan,
  dashboard: registerDashboard,
  diagram: registerDiagram,
  inspect: registerInspect,
  config: registerConfig,
  doctor: registerDoctor,
  link: registerLink,
  sites: registerSites,
  move: registerMove,
  takeover: registerTakeover,
  trust: registerTrust,
  rights: registerRights,
  mcp: registerMcp,
  completion: registerCompletion,
}
