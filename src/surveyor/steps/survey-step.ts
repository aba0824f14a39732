import path from 'node:path'
import { replaceFile, WRITABLE } from '../../platform/storage/disk.ts'
import { reportMilestone } from '../fed-command.ts'
import { isRepository } from '../work-tree.ts'

export interface AgentPlace {
  /** Folder of the code; the federation root. */
  root: string
  team: string
  workspace: string
}

/** An accepted report; the state is what `fed` said that it led to. */
export interface Progress {
  state: string | undefined
}

export interface Problem {
  alert: 'information-missing' | 'source-inaccessible' | 'structure-undetermined'
  reason: string
  refused: boolean
}

export const say = (line: string): void => void process.stdout.write(`${line}\n`)

export async function report(
  milestone: string,
  body: string,
  alert: Problem['alert'],
): Promise<Problem | Progress> {
  const answer = await reportMilestone(milestone, body)
  return answer.code === 0
    ? { state: answer.state }
    : {
        alert,
        reason: `the report ${milestone} was not accepted: ${answer.stderr}`,
        refused: answer.code === 5,
      }
}

/** Writes a document into a workspace, whole or not at all. */
export function writeInto(workspace: string, name: string, text: string): void {
  replaceFile(path.join(workspace, name), text, workspace, { mode: WRITABLE })
}

/** Why nothing of the code can be read; undefined where it can. */
export async function whyUnreadable(root: string): Promise<Problem | undefined> {
  if (await isRepository(root)) return undefined
  return {
    alert: 'source-inaccessible',
    reason: `${root} is no git repository, or git cannot read it`,
    refused: false,
  }
}
