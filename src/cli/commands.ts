import type { Command } from 'commander'
import { registerAck } from './ack.ts'
import { registerAlert } from './alert.ts'
import { registerCheck } from './check.ts'
import { registerControls } from './control.ts'
import { registerDiagram } from './diagram.ts'
import { registerHistory } from './history.ts'
import { registerInbox } from './inbox.ts'
import { registerInit } from './init.ts'
import { registerLaunch } from './launch.ts'
import { registerLearn } from './learn.ts'
import { registerLearnings } from './learnings.ts'
import { registerMonitor } from './monitor.ts'
import { registerOnboard } from './onboard.ts'
import { registerOutbox } from './outbox.ts'
import { registerRead } from './read.ts'
import { registerReply } from './reply.ts'
import { registerReport } from './report.ts'
import { registerRun } from './run.ts'
import { registerSend } from './send.ts'
import { registerStatus } from './status.ts'

/** Every command, in the order of the help: the main job first, then from setting up to looking closely. */
export const commands: readonly ((program: Command) => void)[] = [
  registerRun,
  registerInit,
  registerOnboard,
  registerLaunch,
  registerMonitor,
  registerStatus,
  registerHistory,
  registerSend,
  registerReply,
  registerInbox,
  registerOutbox,
  registerRead,
  registerAck,
  registerReport,
  registerAlert,
  registerControls,
  registerLearn,
  registerLearnings,
  registerCheck,
  registerDiagram,
]
