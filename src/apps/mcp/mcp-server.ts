import { McpServer } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import * as z from 'zod/mini'
import { FedError } from '../../errors/fed-error.ts'
import type { Federation } from '../../federation/federation.ts'
import { packageVersion } from '../../platform/process/package.ts'
import type { RegistryEntry } from '../../protocol/registry-schema.ts'
import { META } from '../../protocol/team-id.ts'
import { assertSameTeam } from '../../federation/same-team.ts'
import type { AgentTool, Caller } from './agent-tool.ts'
import { mailTools } from './mail-tools.ts'
import { deliverableTools, findingTools, teamTools } from './team-tools.ts'

/** The tools that the caller may use: the coordinator has no machine of its own, and only some teams a document. */
async function toolsFor(
  federation: Federation,
  entry: RegistryEntry | undefined,
): Promise<readonly AgentTool[]> {
  if (entry === undefined) return [...mailTools, ...findingTools]
  const { delivers } = await federation.archetype(entry.archetypeId)
  const ofArchetype = delivers ? deliverableTools : []
  return [...mailTools, ...teamTools, ...ofArchetype, ...findingTools]
}

/** The schema as the protocol wants it: it describes itself as JSON Schema. */
function described(input: z.ZodMiniType) {
  const schema = () => z.toJSONSchema(input, { io: 'input' }) as Record<string, unknown>
  const { '~standard': standard } = input
  return { '~standard': { ...standard, jsonSchema: { input: schema, output: schema } } }
}

function inWords(error: unknown): string {
  if (error instanceof FedError) return error.message
  return `unexpected: ${error instanceof Error ? error.message : String(error)}`
}

/**
 * Serves the caller's tools over the standard streams by the Model Context Protocol, until the client closes
 * the input.
 */
export async function serve(caller: Caller): Promise<void> {
  const { federation, address } = caller
  const entry = address === META ? undefined : federation.registry.entry(address)
  const server = new McpServer(
    { name: 'fed', version: packageVersion },
    {
      instructions: `You act as '${caller.address}' in a federation of agent teams: these tools are your mailbox and your team's lifecycle.`,
    },
  )
  for (const { name, description, input, isReadOnly, call } of await toolsFor(federation, entry)) {
    server.registerTool(
      name,
      { description, inputSchema: described(input), annotations: { readOnlyHint: isReadOnly } },
      async (given: unknown) => {
        try {
          if (entry !== undefined) assertSameTeam(federation.registry, address, entry.onboardedAt)
          return { content: [{ type: 'text', text: JSON.stringify(await call(caller, given)) }] }
        } catch (error) {
          return { content: [{ type: 'text', text: inWords(error) }], isError: true }
        }
      },
    )
  }
  const closed = new Promise<void>((resolve) => {
    server.server.onclose = resolve
  })
  process.stdin.once('end', () => void server.close())
  await server.connect(new StdioServerTransport())
  await closed
}
