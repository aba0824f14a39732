import { spawn } from 'node:child_process'
import { parseJson } from './data-files.ts'

export interface FedAnswer {
  /** 0 accepted, 5 refused with the reason on stderr, anything else failed. */
  code: number
  stdout: string
  stderr: string
}

export interface TeamStatus {
  archetype: string
  state: string
  mission: { subject: string; body: string; at: string } | null
  instructions: { subject: string; body: string; at: string }[]
  /** What a consultant is asked now. */
  question: { subject: string; body: string } | null
  /** File name of the deliverable in the workspace. */
  deliverable: string
  /** What the team accepts now, each with what is still missing for it, in words. */
  accepts: { event: string; missing: string[] }[]
}

// Found on the PATH, which the launcher sets; it is this package's own command.
const COMMAND = 'fed'

/** Runs the `fed` command on the PATH with a list of arguments, never through a shell. */
export async function fed(...args: string[]): Promise<FedAnswer> {
  const child = spawn(COMMAND, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const read = (stream: NodeJS.ReadableStream): (() => string) => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    return () => Buffer.concat(chunks).toString('utf8')
  }
  const [stdout, stderr] = [read(child.stdout), read(child.stderr)]
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (exit) => resolve(exit ?? 1))
  })
  return { code, stdout: stdout(), stderr: stderr().trim() }
}

/** Reports a milestone; `state` is where it led, where the answer says so. */
export async function reportMilestone(
  milestone: string,
  body: string,
): Promise<FedAnswer & { state: string | undefined }> {
  const answer = await fed('report', milestone, '--body', body, '--json')
  const said =
    answer.code === 0 ? (parseJson(answer.stdout) as { to?: unknown } | null | undefined) : undefined
  return { ...answer, state: typeof said?.to === 'string' ? said.to : undefined }
}

/** What the team is to do and where it stands. Throws where `fed` cannot say. */
export async function readStatus(team: string): Promise<TeamStatus> {
  const answer = await fed('status', team, '--json')
  if (answer.code !== 0) throw new Error(`fed status ${team} failed: ${answer.stderr}`)
  const status = JSON.parse(answer.stdout) as Partial<TeamStatus>
  return {
    archetype: status.archetype ?? '',
    state: status.state ?? '',
    mission: status.mission ?? null,
    instructions: status.instructions ?? [],
    question: status.question ?? null,
    deliverable: status.deliverable ?? 'deliverable.md',
    accepts: status.accepts ?? [],
  }
}

/**
 * What the team logged as findings since its mission began, so that an agent that was killed logs nothing twice: the
 * log itself is asked, because whoever is killed right after logging has noted nothing else.
 * @param since ISO 8601.
 */
export async function readLogged(team: string, since: string): Promise<Set<string>> {
  const answer = await fed('learnings', team, '--json')
  if (answer.code !== 0) throw new Error(`fed learnings ${team} failed: ${answer.stderr}`)
  const findings = JSON.parse(answer.stdout) as { timestamp: string; content: string }[]
  const present = findings.filter(({ timestamp }) => !(Date.parse(timestamp) < Date.parse(since)))
  return new Set(present.map(({ content }) => content))
}

/** Reads and acknowledges what others wrote to the team; missions and control signals are the machine's. */
export async function readMail(team: string): Promise<string[]> {
  const answer = await fed('inbox', team, '--json')
  if (answer.code !== 0) throw new Error(`fed inbox ${team} failed: ${answer.stderr}`)
  const mail = JSON.parse(answer.stdout) as { file?: string; subject?: string; from?: string }[]
  const read: string[] = []
  for (const { file, subject, from } of mail) {
    if (file === undefined) continue
    await fed('ack', team, file)
    read.push(`read “${subject ?? file}” from ${from ?? 'nobody'}`)
  }
  return read
}
