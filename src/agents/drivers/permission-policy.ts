import { SERVER } from './tools-server.ts'

/** What an agent says of a tool that it wants to use; nothing proves that it is true. */
export interface ToolRequest {
  readonly kind: string | null | undefined
  /** Names that the agent gave the tool, when it announced the call and when it asked for permission. */
  readonly names: readonly string[]
}

interface Option {
  readonly optionId: string
  readonly kind: string
}

/** Kinds of tools that change nothing, in the words of the Agent Client Protocol. */
const reading = ['read', 'search', 'think', 'fetch']
/**
 * Kinds that an agent may give one of fed's MCP tools: the protocol has none for them, so agents say `other`
 * or a reading one.
 */
const foreign = ['other', ...reading]

/**
 * Names that agents give a tool of fed's server: `mcp__fed__report`, `fed_report`, `fed-report`,
 * `report (fed MCP Server)`.
 */
const ownName = new RegExp(`^(?:mcp_+)?${SERVER}(?:__|[_/.:-])[a-z_]+$|^[a-z_]+ \\(${SERVER} MCP Server\\)$`)

/** Whether an agent calls a tool by a name of one of fed's tools. */
export function hasOwnName({ names }: ToolRequest): boolean {
  return names.some((name) => ownName.test(name))
}

/** Whether a tool is one of fed's own: those write only what the team may write. */
function isOwnTool(tool: ToolRequest): boolean {
  return foreign.includes(tool.kind ?? 'other') && hasOwnName(tool)
}

/**
 * Whether a team's agent may use a tool. An agent that changes code may use any; one that only reads may use
 * reading tools, and fed's own, without which it could not finish.
 */
export function mayUse(tool: ToolRequest, isReader: boolean): boolean {
  return !isReader || reading.includes(tool.kind ?? 'other') || isOwnTool(tool)
}

/**
 * Id of the option that grants or denies a permission request: the one for this time only where it is
 * offered, so that the agent asks for each use, else the one for always. Undefined where neither is offered:
 * the request is cancelled.
 */
export function optionFor(isAllowed: boolean, options: readonly Option[]): string | undefined {
  const kinds = isAllowed ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always']
  for (const kind of kinds) {
    const option = options.find((one) => one.kind === kind)
    if (option !== undefined) return option.optionId
  }
  return undefined
}
