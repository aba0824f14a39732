import { SERVER } from './tools-server.ts'

/** What an agent says of a tool that it wants to use; none of it is more than its word. */
export interface ToolRequest {
  readonly kind: string | null | undefined
  /** What it called the tool, when it announced it and when it asked. */
  readonly names: readonly string[]
}

interface Option {
  readonly optionId: string
  readonly kind: string
}

/** Kinds of tools that change nothing, in the words of the Agent Client Protocol. */
const reading = ['read', 'search', 'think', 'fetch']
/** Kinds that a tool of fed's can have: a server's tools have none of their own. */
const foreign = ['other', ...reading]

/** Names that agents give a tool of fed's server: `mcp__fed__report`, `fed_report`, `fed-report`, `report (fed MCP Server)`. */
const ownName = new RegExp(`^(?:mcp_+)?${SERVER}(?:__|[_/.:-])[a-z_]+$|^[a-z_]+ \\(${SERVER} MCP Server\\)$`)

/** Whether a tool bears a name of fed's own. */
export function hasOwnName({ names }: ToolRequest): boolean {
  return names.some((name) => ownName.test(name))
}

/** Whether a tool is one of fed's own, which writes nothing but what its team may. */
function isOwnTool(tool: ToolRequest): boolean {
  return foreign.includes(tool.kind ?? 'other') && hasOwnName(tool)
}

/**
 * Whether a team's agent may use a tool. Who changes code may do what its work needs; who only reads may read, and
 * use fed's own tools, by which it finishes.
 */
export function mayUse(tool: ToolRequest, isReader: boolean): boolean {
  return !isReader || reading.includes(tool.kind ?? 'other') || isOwnTool(tool)
}

/**
 * The answer to a request for a permission: of the options that mean it the one for this time only, so that each
 * use is asked for. Undefined where there is none: then the request is cancelled.
 */
export function optionFor(isAllowed: boolean, options: readonly Option[]): string | undefined {
  const kinds = isAllowed ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always']
  for (const kind of kinds) {
    const option = options.find((one) => one.kind === kind)
    if (option !== undefined) return option.optionId
  }
  return undefined
}
