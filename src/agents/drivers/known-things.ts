import type { KnownAgentName } from '../../protocol/agent-names.ts'
import { folder, type OwnThings } from './own-things.ts'

const noSettings = { text: '{}\n' }
const noText = { text: '' }

/** Variables of the providers that an agent takes which has many. */
const manyProviders = [
  ...['ANTHROPIC_*', 'OPENAI_*', 'GEMINI_*', 'GOOGLE_*', 'OPENROUTER_*', 'GROQ_*', 'MISTRAL_*', 'DEEPSEEK_*'],
  ...['XAI_*', 'AZURE_OPENAI_*', 'OLLAMA_*'],
]

/** Their hosts. */
const providersHosts = [
  ...['api.anthropic.com', 'platform.claude.com', 'api.openai.com', 'auth.openai.com', 'chatgpt.com'],
  ...['generativelanguage.googleapis.com', 'oauth2.googleapis.com', 'openrouter.ai', 'api.groq.com'],
  ...[
    'api.mistral.ai',
    'api.deepseek.com',
    'api.x.ai',
    '*.githubcopilot.com',
    'api.github.com',
    'github.com',
  ],
]

/** What each known agent needs of its person within walls: nothing but data. */
export const knownThings: Readonly<Record<KnownAgentName, OwnThings>> = {
  claude: {
    folders: [
      {
        at: '.claude',
        variable: 'CLAUDE_CONFIG_DIR',
        settled: {
          ...{ 'settings.json': noSettings, 'settings.local.json': noSettings, 'CLAUDE.md': noText },
          ...{
            agents: folder,
            commands: folder,
            hooks: folder,
            plugins: folder,
            rules: folder,
            skills: folder,
          },
        },
      },
    ],
    copied: ['.claude.json'],
    env: [
      ...['ANTHROPIC_*', 'CLAUDE_*', 'DISABLE_*', 'ENABLE_TOOL_SEARCH', 'USE_BUILTIN_RIPGREP'],
      ...[
        'API_TIMEOUT_MS',
        'MAX_THINKING_TOKENS',
        'MAX_MCP_OUTPUT_TOKENS',
        'MCP_TIMEOUT',
        'MCP_TOOL_TIMEOUT',
      ],
      ...['BASH_DEFAULT_TIMEOUT_MS', 'BASH_MAX_TIMEOUT_MS', 'BASH_MAX_OUTPUT_LENGTH'],
    ],
    hosts: ['api.anthropic.com', 'platform.claude.com', 'console.anthropic.com', 'claude.ai'],
  },
  copilot: {
    folders: [
      {
        at: '.copilot',
        variable: 'COPILOT_HOME',
        settled: {
          'mcp-config.json': { text: '{ "mcpServers": {} }\n' },
          ...{ 'copilot-instructions.md': noText, agents: folder, hooks: folder, skills: folder },
        },
      },
    ],
    env: ['COPILOT_*', 'GH_TOKEN', 'GITHUB_TOKEN', 'GH_HOST'],
    hosts: ['*.githubcopilot.com', 'api.github.com', 'github.com'],
  },
  codex: {
    folders: [
      {
        at: '.codex',
        variable: 'CODEX_HOME',
        settled: {
          ...{ 'config.toml': noText, 'AGENTS.md': noText, 'hooks.json': noSettings },
          ...{ prompts: folder, rules: folder, skills: folder },
        },
      },
    ],
    env: ['OPENAI_*', 'CODEX_*'],
    hosts: ['api.openai.com', 'chatgpt.com', 'auth.openai.com'],
  },
  gemini: {
    folders: [
      {
        at: '.gemini',
        base: 'GEMINI_CLI_HOME',
        settled: {
          ...{
            'settings.json': noSettings,
            'trustedFolders.json': noSettings,
            'GEMINI.md': noText,
            '.env': noText,
          },
          ...{
            agents: folder,
            commands: folder,
            extensions: folder,
            hooks: folder,
            policies: folder,
            skills: folder,
          },
        },
      },
    ],
    env: ['GEMINI_*', 'GOOGLE_*', 'CODE_ASSIST_*'],
    hosts: [
      ...['generativelanguage.googleapis.com', 'cloudcode-pa.googleapis.com', 'oauth2.googleapis.com'],
      ...['www.googleapis.com', 'accounts.google.com'],
    ],
  },
  opencode: {
    folders: [
      { at: '.local/share/opencode', base: 'XDG_DATA_HOME', settled: { bin: folder } },
      { at: '.config/opencode', base: 'XDG_CONFIG_HOME', settled: 'all' },
    ],
    env: ['OPENCODE_*', ...manyProviders],
    hosts: ['opencode.ai', 'models.dev', ...providersHosts],
  },
  cursor: {
    folders: [
      {
        at: '.cursor',
        settled: {
          ...{ 'mcp.json': noSettings, 'hooks.json': noSettings, 'cli-config.json': noSettings },
          ...{ commands: folder, rules: folder, skills: folder },
        },
      },
      { at: '.config/cursor', base: 'XDG_CONFIG_HOME', settled: {} },
    ],
    env: ['CURSOR_*'],
    hosts: ['*.cursor.sh', '*.cursor.com'],
  },
  goose: {
    folders: [
      { at: '.local/share/goose', base: 'XDG_DATA_HOME', settled: {} },
      { at: '.config/goose', base: 'XDG_CONFIG_HOME', settled: 'all' },
    ],
    env: ['GOOSE_*', ...manyProviders],
    hosts: providersHosts,
  },
}
