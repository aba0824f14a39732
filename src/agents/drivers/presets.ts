import path from 'node:path'
import type { KnownAgentName } from '../../protocol/agent-names.ts'
import type { UsageFigures } from './driver.ts'
import { knownThings } from './known-things.ts'
import type { OwnThings } from './own-things.ts'

/** Arguments and environment that are added to an agent's command. */
interface Extras {
  /** Added to every run. */
  readonly args?: readonly string[]
  /** Added to a session's first run. */
  readonly first?: readonly string[]
  /** Added to a run that resumes a session of the agent. */
  readonly resume?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** How an agent is given fed's tools, for one session only: no setting of the agent's own is changed. */
interface ToolsWay extends Extras {
  /** Texts of files that the arguments or the environment refer to, by path; path and text are templates. */
  readonly files?: Readonly<Record<string, string>>
}

/** Which reader in `streams/` reads the JSON lines of an agent. */
export type StreamFormat = 'claude' | 'copilot' | 'codex' | 'gemini' | 'opencode' | 'goose'

/**
 * A headless coding agent that fed knows how to call: nothing but data. In its texts, names in braces are
 * replaced by the values that `template.ts` lists. In `first` and `resume`, the words `{role}` and `{tools}`
 * are replaced by the arguments of the role (`reader`, `writer` or `inside`) and of the tools, which otherwise
 * go to the end.
 */
export interface Preset {
  readonly name: KnownAgentName
  /** Name of its program on the PATH. */
  readonly program: string
  /** Version of the program with which this preset was tried out; null where no registry has the program. */
  readonly checked: string | null
  readonly stream: StreamFormat
  /** Usage figures that its JSON lines, or its file of the session, told while it ran, when it was tried out. */
  readonly tells: UsageFigures
  /** Arguments of a session's first run. */
  readonly first: readonly string[]
  /** Arguments of a run that resumes an earlier session of the agent. */
  readonly resume: readonly string[]
  /** Added for teams that only read, where no walls hold it; null where it would write or could not finish. */
  readonly reader: Extras | null
  /** Added for teams that change the codebase, where no walls hold it. */
  readonly writer: Extras
  /** Added within walls, whatever the team is for: it may do all that they let it, and makes no sandbox in them. */
  readonly inside: Extras
  /** How the agent is given fed's tools; null where it takes no server for a single session. */
  readonly tools: ToolsWay | null
  /** Used in place of `tools` where `reader` is; `cwd`: folder in which the agent runs. */
  readonly readerTools?: ToolsWay & { readonly cwd?: string }
  /** The option for the most US dollars that a run may cost, where the agent keeps to it. */
  readonly costOption?: string
  /** The signal at which it ends, and tells what it used up if it can, where that is not SIGTERM. */
  readonly endsBy?: 'SIGINT' | 'SIGKILL'
  /** The environment variable that sets the agent's temperature: no known agent has an option for it. */
  readonly temperatureVariable?: string
  /** How the agent is started for the Agent Client Protocol; missing where it does not speak that. */
  readonly acp?: {
    readonly args: readonly string[]
    readonly env?: Readonly<Record<string, string>>
    /** Added for teams that only read the codebase, where no walls hold it. */
    readonly reader?: Extras
    /** Id of the agent's own mode in which it only reads. */
    readonly readerMode?: string
  }
}

/** The option with which every known agent takes the name of a model. */
export const modelOption = '--model'

const opencodeTools =
  '"mcp":{"fed":{"type":"local","enabled":true,"command":{mcp.words},"environment":{mcp.env}}}'
const opencodeReader = '"permission":{"edit":"deny","bash":"deny"}'

export const knownAgents: readonly Preset[] = [
  {
    name: 'claude',
    program: 'claude',
    checked: '2.1.330',
    stream: 'claude',
    tells: ['cost', 'tokens'],
    first: ['-p', '{prompt}', '--output-format', 'stream-json', '--verbose', '--session-id', '{session}'],
    resume: ['-p', '{prompt}', '--output-format', 'stream-json', '--verbose', '--resume', '{session}'],
    // other servers of the user's may write, so readers have fed's alone
    reader: { args: ['--tools', 'Read,Grep,Glob', '--allowedTools', 'mcp__fed', '--strict-mcp-config'] },
    // headless it asks nobody: what is not allowed here is refused, and then it could not call fed
    writer: { args: ['--allowedTools', 'Bash(fed:*),Bash(git:*),Read,Grep,Glob,Edit,Write,mcp__fed'] },
    // what it consists of is not to be written there
    inside: { args: ['--dangerously-skip-permissions'], env: { DISABLE_AUTOUPDATER: '1' } },
    tools: { args: ['--mcp-config', '{mcp}'] },
    costOption: '--max-budget-usd',
    endsBy: 'SIGINT',
  },
  {
    name: 'copilot',
    program: 'copilot',
    checked: '1.0.102',
    stream: 'copilot',
    tells: ['tokens'],
    first: [
      ...['-p', '{prompt}', '--output-format', 'json', '--allow-all-tools', '--no-ask-user'],
      ...['--session-id', '{session}'],
    ],
    resume: [
      ...['-p', '{prompt}', '--output-format', 'json', '--allow-all-tools', '--no-ask-user'],
      '--resume={session}',
    ],
    // what is denied stays denied, whatever is allowed beside it
    reader: { args: ['--deny-tool=write', '--deny-tool=shell'] },
    writer: {},
    inside: { args: ['--allow-all-paths', '--allow-all-urls', '--no-auto-update'] },
    tools: { args: ['--additional-mcp-config', '{mcp}'] },
    // it takes no servers from whom it talks with
    acp: {
      args: ['--acp', '--additional-mcp-config', '{mcp}'],
      reader: { args: ['--deny-tool=write', '--deny-tool=shell'] },
    },
  },
  {
    name: 'codex',
    program: 'codex',
    checked: '0.169.0',
    stream: 'codex',
    tells: ['tokens'],
    first: ['exec', '--json', '-C', '{codebase}', '{role}', '{tools}', '{prompt}'],
    // takes neither -s nor -C
    resume: ['exec', 'resume', '--json', '{role}', '{tools}', '{session}', '{prompt}'],
    reader: { first: ['-s', 'read-only'], resume: ['-c', 'sandbox_mode="read-only"'] },
    // outside the worktree, a commit writes into the repository's folder and a signal into the federation's
    writer: {
      args: [
        ...['-c', 'sandbox_workspace_write.writable_roots={writable}'],
        // a login shell makes its PATH anew, and then there is no fed on it
        ...['-c', 'allow_login_shell=false'],
      ],
      first: ['-s', 'workspace-write'],
      resume: ['-c', 'sandbox_mode="workspace-write"'],
    },
    inside: { args: ['--dangerously-bypass-approvals-and-sandbox', '-c', 'allow_login_shell=false'] },
    tools: {
      args: [
        ...['-c', 'mcp_servers.fed.command={mcp.command}', '-c', 'mcp_servers.fed.args={mcp.args}'],
        ...['-c', 'mcp_servers.fed.env={mcp.table}'],
        // nobody is there to be asked, and what nobody approves is cancelled
        ...['-c', 'mcp_servers.fed.default_tools_approval_mode="approve"'],
      ],
    },
  },
  {
    name: 'gemini',
    program: 'gemini',
    checked: '0.61.0',
    stream: 'gemini',
    tells: ['tokens'],
    first: ['-p', '{prompt}', '-o', 'stream-json', '--session-id', '{session}'],
    resume: ['-p', '{prompt}', '-o', 'stream-json', '-r', '{session}'],
    reader: { args: ['--approval-mode', 'plan'], env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' } },
    writer: { args: ['--approval-mode', 'yolo'], env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' } },
    inside: {
      args: ['--approval-mode', 'yolo'],
      env: { GEMINI_CLI_TRUST_WORKSPACE: 'true', GEMINI_SANDBOX: 'false' },
    },
    // it takes servers only from files in its home or in the folder where it runs; writers have the command
    tools: null,
    readerTools: {
      cwd: '{folder}',
      args: ['--include-directories', '{codebase},{workspace}', '--policy', '{folder}/policy.toml'],
      files: {
        '{folder}/.gemini/settings.json': '{mcp}\n',
        // its plan mode hides every tool that may write something, also where the server is trusted
        '{folder}/policy.toml':
          '[[rule]]\nmcpName = "fed"\ntoolName = "*"\ndecision = "allow"\npriority = 900\nmodes = ["plan"]\n',
      },
    },
    acp: { args: ['--acp'], env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' } },
  },
  {
    name: 'opencode',
    program: 'opencode',
    checked: '1.18.33',
    stream: 'opencode',
    // it goes on through SIGTERM; its session can be continued all the same
    endsBy: 'SIGKILL',
    tells: ['cost', 'tokens'],
    first: ['run', '{prompt}', '--format', 'json'],
    resume: ['run', '{prompt}', '--format', 'json', '-s', '{session}'],
    reader: { args: ['--agent', 'plan'] },
    writer: {},
    inside: { args: ['--auto'], env: { OPENCODE_DISABLE_AUTOUPDATE: '1' } },
    tools: { env: { OPENCODE_CONFIG_CONTENT: `{${opencodeTools}}` } },
    readerTools: { env: { OPENCODE_CONFIG_CONTENT: `{${opencodeTools},${opencodeReader}}` } },
    acp: {
      args: ['acp'],
      reader: { env: { OPENCODE_CONFIG_CONTENT: `{${opencodeReader}}` } },
      readerMode: 'plan',
    },
  },
  {
    name: 'cursor',
    program: 'cursor',
    checked: null,
    stream: 'claude',
    tells: [],
    first: ['agent', '-p', '{prompt}', '--output-format', 'stream-json', '--trust'],
    resume: ['agent', '-p', '{prompt}', '--output-format', 'stream-json', '--trust', '--resume', '{session}'],
    // it has a mode that only reads, but takes no server by an option: then it could not finish
    reader: null,
    writer: { args: ['--force'] },
    inside: { args: ['--force'] },
    tools: null,
    acp: { args: ['agent', 'acp'] },
  },
  {
    name: 'goose',
    program: 'goose',
    checked: null,
    stream: 'goose',
    // at its end alone
    tells: [],
    first: ['run', '-t', '{prompt}', '--output-format', 'stream-json', '-n', '{session}'],
    resume: ['run', '-t', '{prompt}', '--output-format', 'stream-json', '-n', '{session}', '-r'],
    reader: null,
    writer: {},
    inside: { env: { GOOSE_MODE: 'auto' } },
    tools: { args: ['--with-extension', '{mcp.line}'] },
    temperatureVariable: 'GOOSE_TEMPERATURE',
    acp: { args: ['acp'], reader: { env: { GOOSE_MODE: 'approve' } } },
  },
]

/** The preset of an agent, by its name or the absolute path of its program; undefined for an unknown one. */
export function presetOf(agent: string): Preset | undefined {
  const named = knownAgents.find(({ name }) => name === agent)
  if (named !== undefined || !path.isAbsolute(agent)) return named
  const known = knownAgents.find(({ program }) => program === path.basename(agent))
  return known && { ...known, program: agent }
}

/** What the program of an agent needs of its person, known by its name: also of an adapter such as `claude-code-acp`. */
export function ownThingsOf(file: string): OwnThings | undefined {
  const name = path.basename(file)
  const known = knownAgents.find(({ program }) => name === program || name.startsWith(`${program}-`))
  return known && knownThings[known.name]
}
