import path from 'node:path'
import type { Told } from './driver.ts'

/** What depends on whether a team's agent only reads the codebase or changes it. */
interface Role {
  /** Of every run, of a first one, and of one that goes on. */
  readonly args?: readonly string[]
  readonly first?: readonly string[]
  readonly resume?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** How an agent is told where fed's tools are; it is given them by nothing that outlives the session. */
interface ToolsWay extends Role {
  /** Files that the arguments or the environment name; the keys are templates as well. */
  readonly files?: Readonly<Record<string, string>>
}

/** How JSON lines of an agent are read: see `streams/`. */
export type StreamFormat = 'claude' | 'copilot' | 'codex' | 'gemini' | 'opencode' | 'goose'

/**
 * A headless coding agent that fed knows how to call: nothing but data. Texts are templates; `template.ts` names
 * what may stand in braces.
 */
export interface Preset {
  readonly name: string
  /** Its program on the PATH. */
  readonly program: string
  /** Version of the program with which these lines were tried out; null where it cannot be had from a registry. */
  readonly checked: string | null
  readonly stream: StreamFormat
  /** What of its usage its stream told when it was tried out. */
  readonly tells: Told
  /** A session's first run, and one that goes on with an earlier session of the agent. */
  readonly first: readonly string[]
  readonly resume: readonly string[]
  /** For teams that only read the codebase; null where the agent cannot be held to that by its command line. */
  readonly reader: Role | null
  /** For teams that change it. */
  readonly writer: Role
  /** Null where the agent takes no server for a single session. */
  readonly tools: ToolsWay | null
  /** Readers get this in place of `tools` where reading and tools depend on each other. */
  readonly readerTools?: ToolsWay & { readonly cwd?: string }
  /** The environment variable by which it takes a temperature, which no agent's arguments can tell. */
  readonly temperatureVariable?: string
  /** How it is started to be talked to by the Agent Client Protocol. */
  readonly acp?: {
    readonly args: readonly string[]
    /** What of its usage it told so when it was tried out; missing where nobody tried. */
    readonly tells?: Told
    readonly env?: Readonly<Record<string, string>>
    readonly reader?: Role
    /** The mode of the agent's own that only reads. */
    readonly readerMode?: string
  }
}

/** The option by which every known agent takes the name of a model. */
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
    tools: { args: ['--mcp-config', '{mcp}'] },
  },
  {
    name: 'copilot',
    program: 'copilot',
    checked: '1.0.102',
    stream: 'copilot',
    tells: [],
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
    tools: { args: ['--additional-mcp-config', '{mcp}'] },
    // it takes no servers from whom it talks with
    acp: {
      args: ['--acp', '--additional-mcp-config', '{mcp}'],
      tells: ['tokens'],
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
    // outside of the worktree, a commit writes into the repository's folder and a signal into the federation's
    writer: {
      args: [
        ...['-c', 'sandbox_workspace_write.writable_roots={writable}'],
        // a login shell makes its PATH anew, and then there is no fed on it
        ...['-c', 'allow_login_shell=false'],
      ],
      first: ['-s', 'workspace-write'],
      resume: ['-c', 'sandbox_mode="workspace-write"'],
    },
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
    acp: { args: ['--acp'], tells: [], env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' } },
  },
  {
    name: 'opencode',
    program: 'opencode',
    checked: '1.18.33',
    stream: 'opencode',
    tells: ['cost', 'tokens'],
    first: ['run', '{prompt}', '--format', 'json'],
    resume: ['run', '{prompt}', '--format', 'json', '-s', '{session}'],
    reader: { args: ['--agent', 'plan'] },
    writer: {},
    tools: { env: { OPENCODE_CONFIG_CONTENT: `{${opencodeTools}}` } },
    readerTools: { env: { OPENCODE_CONFIG_CONTENT: `{${opencodeTools},${opencodeReader}}` } },
    acp: {
      args: ['acp'],
      // only of the last step
      tells: [],
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
    tools: null,
    acp: { args: ['agent', 'acp'] },
  },
  {
    name: 'goose',
    program: 'goose',
    checked: null,
    stream: 'goose',
    tells: ['tokens'],
    first: ['run', '-t', '{prompt}', '--output-format', 'stream-json', '-n', '{session}'],
    resume: ['run', '-t', '{prompt}', '--output-format', 'stream-json', '-n', '{session}', '-r'],
    reader: null,
    writer: {},
    tools: { args: ['--with-extension', '{mcp.line}'] },
    temperatureVariable: 'GOOSE_TEMPERATURE',
    acp: { args: ['acp'], reader: { env: { GOOSE_MODE: 'approve' } } },
  },
]

/** The preset of a name, or of the full path of its program, if fed knows it. */
export function presetOf(agent: string): Preset | undefined {
  const named = knownAgents.find(({ name }) => name === agent)
  if (named !== undefined || !path.isAbsolute(agent)) return named
  const known = knownAgents.find(({ program }) => program === path.basename(agent))
  return known && { ...known, program: agent }
}
