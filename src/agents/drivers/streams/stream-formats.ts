import type { Ear, Listener } from '../driver.ts'
import type { StreamFormat } from '../presets.ts'
import { claudeStream } from './claude.ts'
import { codexStream } from './codex.ts'
import { copilotStream } from './copilot.ts'
import { SessionFollower } from './follow-session.ts'
import { geminiStream } from './gemini.ts'
import { gooseStream } from './goose.ts'
import { parseLine } from './json.ts'
import { opencodeStream } from './opencode.ts'
import type { StreamReader } from './stream-reader.ts'

const readers: Readonly<Record<StreamFormat, (report: Listener, session?: string) => StreamReader>> = {
  claude: claudeStream,
  codex: codexStream,
  copilot: copilotStream,
  gemini: geminiStream,
  goose: gooseStream,
  opencode: opencodeStream,
}

/**
 * What reads the lines that an agent prints, and the file that it keeps of its session where those tell too little or
 * too late; lines that are no JSON only stand in the log.
 * @param session the agent's name of the session, where it was told it.
 * @param env the agent's environment, by which it has its folder.
 */
export function listenTo(
  format: StreamFormat,
  report: Listener,
  session: string | undefined,
  env: NodeJS.ProcessEnv,
): Ear {
  const follower = new SessionFollower(format, report, env, session)
  const read = readers[format]((told) => {
    report(told)
    if (told.kind === 'session') follower.follow(told.id)
  }, session)
  return {
    line(line) {
      const event = parseLine(line)
      if (event !== undefined) read(event)
    },
    end: () => follower.end(),
  }
}
