import { v4 as uuid } from 'uuid'
import { requireProgram } from '../sessions/installed-agents.ts'
import { onlyReads } from '../../federation/lead-agent.ts'
import type { AgentDriver, Assignment, Start, Terms } from './driver.ts'
import { modelOption, type Preset } from './presets.ts'
import { listenTo } from './streams/stream-formats.ts'
import { filled, filledRecord, valuesFor } from './template.ts'

/**
 * The driver of all presets: runs a known agent headless and reads the JSON lines that it prints. A new agent
 * needs a preset, and a reader in `streams/` if its JSON is new. fed passes the session id only where the
 * template has the word `{session}` or `--resume={session}`.
 */
export function execJsonDriver(preset: Preset): AgentDriver {
  return {
    kind: 'exec-json',
    tells: preset.tells,
    find: () => requireProgram(preset.name, preset.program),
    givesTools: (terms) => toolsFor(preset, terms) !== null,
    untold: ({ profile, isHeld }) => [
      ...(preset.temperatureVariable === undefined ? (['temperature'] as const) : []),
      ...(onlyReads(profile) && (isHeld || preset.reader === null) ? (['tools'] as const) : []),
    ],
    start: (assignment) => startOf(preset, assignment),
    listen: (report, { session, env }) =>
      listenTo(preset.stream, report, session, { ...process.env, ...env }),
  }
}

/** What an agent is held to by its own means: to nothing within walls, which hold it. */
function roleOf({ inside, reader, writer }: Preset, { profile, isHeld }: Terms) {
  if (isHeld) return inside
  return onlyReads(profile) ? reader : writer
}

/** How an agent on these terms is given fed's tools; null where it takes none. */
function toolsFor(preset: Preset, { profile, isHeld }: Terms) {
  return (onlyReads(profile) && !isHeld ? preset.readerTools : undefined) ?? preset.tools
}

function startOf(preset: Preset, assignment: Assignment): Start {
  const { profile, resume, mayCost } = assignment
  const session = resume ?? uuid()
  const values = valuesFor(preset, assignment, session)
  const role = roleOf(preset, assignment)
  const tools = toolsFor(preset, assignment)
  const [template, ofRun] = resume === undefined ? [preset.first, role?.first] : [preset.resume, role?.resume]
  const groups = { '{role}': [...(ofRun ?? []), ...(role?.args ?? [])], '{tools}': tools?.args ?? [] }
  // arguments for which the template has no place go to the end
  const rest = Object.entries(groups).flatMap(([place, args]) => (template.includes(place) ? [] : args))
  const words = [...template.flatMap((word) => groups[word as keyof typeof groups] ?? [word]), ...rest]
  const cwd = tools !== null && 'cwd' in tools ? (tools.cwd as string | undefined) : undefined
  const { temperatureVariable: variable } = preset
  return {
    file: requireProgram(preset.name, preset.program),
    args: [
      ...words.map((word) => filled(word, values)),
      ...(profile.model === null ? [] : [modelOption, profile.model]),
      ...(mayCost === undefined || preset.costOption === undefined
        ? []
        : [preset.costOption, mayCost.toFixed(6)]),
    ],
    ...(preset.endsBy === undefined ? {} : { endsBy: preset.endsBy }),
    ...(preset.costOption === undefined ? {} : { keepsCost: true }),
    env: {
      ...filledRecord(role?.env, values),
      ...filledRecord(tools?.env, values),
      ...(variable === undefined ? {} : { [variable]: String(profile.temperature) }),
    },
    ...(cwd === undefined ? {} : { cwd: filled(cwd, values) }),
    ...(template.includes('{session}') || template.includes('--resume={session}') ? { session } : {}),
    files: Object.entries(tools?.files ?? {}).map(([name, text]) => ({
      file: filled(name, values),
      text: filled(text, values),
    })),
  }
}
