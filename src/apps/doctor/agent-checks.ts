import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import type { Readable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { printable } from '../../errors/printable.ts'
import { agentMeant } from '../../protocol/agent-names.ts'
import { findAgent } from '../../agents/drivers/choose.ts'
import { knownAgents } from '../../agents/drivers/presets.ts'
import { findProgram } from '../../platform/process/find-program.ts'
import { signalGroup } from '../../platform/process/process-group.ts'
import { reasonOf, type Found } from '../../monitor/diagnosis/finding.ts'
import type { View } from '../../monitor/diagnosis/view.ts'

/** Longest that an agent may take to tell its version, in milliseconds: some load half a runtime for it. */
const patienceMs = 3000
/** What a version needs, in bytes; the rest of what an agent prints is not kept. */
const longestOutput = 4096
/** What a program printed may arrive after its end, so many milliseconds at most. */
const trailingMs = 100
/** In characters. */
const longestVersion = 80

/** Which agents there are, in which versions, and whether the configured one can be started. */
export async function agentFindings({ config, configFault, entries }: View): Promise<Found[]> {
  const installed = knownAgents.flatMap(({ name, program }) => {
    const file = findProgram(program)
    return file === undefined ? [] : [{ name, file }]
  })
  const told = await Promise.all(installed.map(({ name, file }) => versionFinding(name, file)))
  const none: Found = { severity: 'ok', message: 'on the PATH: none of the known ones' }
  const found = told.length === 0 ? [none] : told
  const own = entries.flatMap(({ domainId: team, agent }) =>
    agent === undefined
      ? []
      : [
          agentFinding(
            `agent of ${team}`,
            agentMeant(config.agents, agent),
            `'--agent' at its launch names another`,
          ),
        ],
  )
  if (configFault !== undefined) return [...found, ...own]
  const advice = 'name another agent in federate.config.json'
  const named = Object.entries(config.agents).map(([name, command]) =>
    agentFinding(`agents.${name}`, command, advice),
  )
  const usual = agentMeant(config.agents, config.agentCommand)
  return [...found, agentFinding('agentCommand', usual, advice), ...named, ...own]
}

function agentFinding(what: string, agent: string, advice: string): Found {
  try {
    findAgent(agent)
    return { severity: 'ok', message: `${what}: ${printable(agent)}` }
  } catch (error) {
    return { severity: 'error', message: `${what}: ${reasonOf(error)}`, fix: `install it, or ${advice}` }
  }
}

async function versionFinding(name: string, file: string): Promise<Found> {
  const asked = await versionOf(file)
  if ('version' in asked) return { severity: 'ok', where: file, message: `${name}: ${asked.version}` }
  return {
    severity: 'note',
    where: file,
    message: `${name}: '--version' ${asked.fault}`,
    fix: `run '${name} --version' by hand; a launch may fail in the same way`,
  }
}

type Version = { readonly version: string } | { readonly fault: string }

/**
 * What a program says of its version, in one printable line. It gets no input and not long, and what it started
 * ends with it.
 */
export function versionOf(file: string): Promise<Version> {
  return new Promise((resolve) => {
    let group: number | undefined
    // before it is started: an interruption in between would leave it behind
    const stopWatching = endingWithUs(() => group)
    // a group of its own, so that nothing of it is left
    const child = spawn(file, ['--version'], {
      cwd: tmpdir(),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    group = child.pid
    const output = beginningOf(child.stdout)
    const complaint = beginningOf(child.stderr)
    let isSettled = false
    const settle = (version: Version) => {
      if (isSettled) return
      isSettled = true
      clearTimeout(late)
      stopWatching()
      if (group !== undefined) signalGroup(group, 'SIGKILL')
      child.stdout.destroy()
      child.stderr.destroy()
      resolve(version)
    }
    const late = setTimeout(() => settle({ fault: `did not end within ${patienceMs / 1000} s` }), patienceMs)
    child.once('error', (error) => settle({ fault: `could not be run: ${error.message}` }))
    child.once('exit', (code, signal) => {
      const end = () => settle(toldAt(code ?? signal, firstLine(output()) || firstLine(complaint())))
      child.once('close', end)
      // somebody else may hold its output open
      setTimeout(end, trailingMs).unref()
    })
  })
}

/** Ctrl-C reaches the foreground's group only: whoever ends this process ends that group with it. */
function endingWithUs(groupOf: () => number | undefined): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const end = (signal: NodeJS.Signals) => {
    stop()
    const group = groupOf()
    if (group !== undefined) signalGroup(group, 'SIGKILL')
    process.kill(process.pid, signal)
  }
  const stop = () => {
    for (const signal of signals) process.off(signal, end)
  }
  for (const signal of signals) process.on(signal, end)
  return stop
}

function toldAt(end: number | NodeJS.Signals | null, line: string): Version {
  if (end === 0) return line === '' ? { fault: 'said nothing' } : { version: line }
  const how = typeof end === 'number' ? `exit code ${end}` : end
  return { fault: `ended with ${how}: ${line || 'no words'}` }
}

/** Collects what comes first, as text; the rest is read and dropped, so that nobody waits to print it. */
function beginningOf(stream: Readable): () => string {
  let bytes = Buffer.alloc(0)
  stream.on('data', (chunk: Buffer) => {
    if (bytes.length < longestOutput) bytes = Buffer.concat([bytes, chunk]).subarray(0, longestOutput)
  })
  return () => stripVTControlCharacters(bytes.toString('utf8'))
}

function firstLine(output: string): string {
  const line = output
    .split('\n')
    .map((one) => one.trim())
    .find((one) => one !== '')
  return printable(line ?? '', longestVersion)
}
