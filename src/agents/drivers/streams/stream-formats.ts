import type { Listener } from '../driver.ts'
import type { StreamFormat } from '../presets.ts'
import { claudeStream } from './claude.ts'
import { codexStream } from './codex.ts'
import { copilotStream } from './copilot.ts'
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
 * What reads the lines that an agent prints; lines that are no JSON only stand in the log.
 * @param session the agent's name of the session, where it was told it.
 */
export function listenTo(
  format: StreamFormat,
  report: Listener,
  session: string | undefined,
): (line: string) => void {
  const read = readers[format](report, session)
  return (line) => {
    const event = parseLine(line)
    if (event !== undefined) read(event)
  }
}
