import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { findProgram } from '../../src/platform/process/find-program.ts'
import { goodDeliverable } from './good-deliverable.ts'
import { newFolder, systemPath } from './fed.ts'

/** Where the real coding agents are: those of `npm run test:agents`; nothing in `npm test`. */
const installed = process.env.FED_REAL_AGENTS

/** Absolute path of a real agent's program, if it is installed here. */
export function realAgent(program: string): string | undefined {
  return installed === undefined ? undefined : findProgram(path.join(installed, program))
}

/** What the scripted model does: it tries to write by every tool that agents have for it, then does its job. */
export function scriptFor(root: string): object[] {
  const file = path.join(root, 'src', 'app.ts')
  const shell = `echo broken > '${file}'`
  return [
    { tool: 'Write', input: { file_path: file, content: 'broken' } },
    { tool: 'Bash', input: { command: shell, description: 'break' } },
    { tool: 'create', input: { path: path.join(root, 'new.txt'), file_text: 'broken' } },
    { tool: 'bash', input: { command: shell, description: 'break' } },
    { tool: 'exec_command', input: { cmd: shell } },
    { tool: 'write_file', input: { file_path: file, content: 'broken' } },
    { tool: 'run_shell_command', input: { command: shell } },
    { tool: 'write', input: { filePath: file, content: 'broken' } },
    { tool: 'report', input: { subject: 'mission-planned', body: 'read src/app.ts' } },
    { tool: 'learn', input: { content: 'the answer is a constant', category: 'pattern' } },
    { tool: 'report', input: { subject: 'files-read', body: '' } },
    { tool: 'report', input: { subject: 'patterns-identified', body: 'there is one constant' } },
    { tool: 'write_deliverable', input: { content: goodDeliverable } },
    { tool: 'report', input: { subject: 'document-written', body: '' } },
  ]
}

/** What a scripted model is told; see `test/agents/model.mjs`. */
interface Orders {
  readonly script?: readonly object[]
  readonly pause?: number | undefined
  readonly isEndless?: boolean
  readonly delayMs?: number
  readonly from?: number
  readonly faults?: readonly object[]
}

/** Nobody is known to a model with these orders. */
export const knowsNobody: Orders = {
  faults: [
    {
      status: 401,
      type: 'authentication_error',
      code: 'invalid_api_key',
      message: 'invalid api key',
      for: 100_000,
    },
  ],
}

/** Starts a scripted model. */
export async function startModel(orders: Orders) {
  const folder = newFolder('model')
  const [file, servedFile] = [path.join(folder, 'orders.json'), path.join(folder, 'served.jsonl')]
  writeFileSync(file, JSON.stringify({ ...orders, served: servedFile }))
  writeFileSync(servedFile, '')
  const program = fileURLToPath(new URL('../agents/model.mjs', import.meta.url))
  const child = spawn(process.execPath, [program, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [port] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => child.kill(),
    /** The tokens of each answer so far. */
    served: () =>
      readFileSync(servedFile, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => {
          const { input, output } = JSON.parse(line) as { input: number; output: number }
          return input + output
        }),
  }
}

/** An environment in which the real agents, and nothing else of this machine, are found; their model is at a URL. */
export function environmentFor(url: string | undefined): Record<string, string> {
  const home = newFolder('home')
  const write = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(home, name)), { recursive: true })
    writeFileSync(path.join(home, name), text)
  }
  const bin = path.join(home, 'bin')
  mkdirSync(bin)
  for (const name of ['claude', 'copilot', 'codex', 'gemini', 'opencode', 'claude-agent-acp']) {
    const file = realAgent(name)
    if (file !== undefined) symlinkSync(file, path.join(bin, name))
  }
  const common = {
    HOME: home,
    // codex makes no sandbox for whoever lives below the folder for temporary files
    TMPDIR: newFolder('temporary'),
    PATH: `${bin}${path.delimiter}${systemPath}`,
    XDG_CONFIG_HOME: path.join(home, '.config'),
    XDG_DATA_HOME: path.join(home, '.data'),
    XDG_CACHE_HOME: path.join(home, '.cache'),
    CODEX_HOME: path.join(home, '.codex'),
    DISABLE_AUTOUPDATER: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    COPILOT_AUTO_UPDATE: 'false',
  }
  if (url === undefined) return common
  write('.gemini/settings.json', '{"security":{"auth":{"selectedType":"gemini-api-key"}}}')
  write(
    '.codex/config.toml',
    `model = "gpt-5.4"\nmodel_provider = "scripted"\n[model_providers.scripted]\nname = "scripted"\nbase_url = "${url}/v1"\nwire_api = "responses"\nenv_key = "OPENAI_SCRIPTED_KEY"\nrequest_max_retries = 0\nstream_max_retries = 0\n`,
  )
  write(
    '.config/opencode/opencode.json',
    JSON.stringify({
      model: 'scripted/scripted',
      provider: {
        scripted: {
          npm: '@ai-sdk/openai-compatible',
          options: { baseURL: `${url}/v1`, apiKey: 'scripted-key' },
          models: { scripted: { name: 'scripted' } },
        },
      },
    }),
  )
  return {
    ...common,
    // as long as a real one: copilot takes it out of whatever it prints
    OPENAI_SCRIPTED_KEY: 'scripted-key',
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'scripted-key',
    // a scripted model looks for no tools: it calls those that it is given
    ENABLE_TOOL_SEARCH: 'false',
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_API_KEY: 'scripted-key',
    COPILOT_MODEL: 'scripted',
    COPILOT_OFFLINE: 'true',
    GEMINI_API_KEY: 'scripted-key',
    GOOGLE_GEMINI_BASE_URL: url,
  }
}
