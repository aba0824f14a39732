import { McpServer } from '@modelcontextprotocol/server'
import * as mail from '../../agents/requests/mail-requests.ts'
import { inputFor, type AnswerOf, type Request } from '../../agents/requests/request.ts'
import * as team from '../../agents/requests/team-requests.ts'
import { ask } from '../../agents/tray/ask.ts'
import { FedError } from '../../errors/fed-error.ts'
import type { Federation } from '../../federation/federation.ts'
import { packageVersion } from '../../platform/process/package.ts'
import type { RegistryEntry } from '../../protocol/registry-schema.ts'
import { META } from '../../protocol/team-id.ts'
import { assertSameTeam } from '../../federation/same-team.ts'
import { answerSchemas, structured } from './answers.ts'
import { addCoordinatorTools } from './coordinator-tools.ts'
import { described } from './described.ts'
import { addResources } from './resources.ts'
import { StdioTransport } from './stdio-transport.ts'

/** Whose tools are served. */
interface Service {
  readonly federation: Federation
  /** A team's id, or `meta`. */
  readonly address: string
  /** The tray of the agent's session, by which its tools ask; undefined outside of a session. */
  readonly tray: string | undefined
  /** Whether a person's own agent coordinates the teams by it. */
  readonly coordinates?: boolean
}

const mailTools = Object.values(mail) as unknown as readonly Request[]
const teamTools = [team.status, team.report, team.alert, team.learn] as unknown as readonly Request[]
const deliverableTools = [team.writeDeliverable] as unknown as readonly Request[]
const findingTools = [team.learnings] as unknown as readonly Request[]

/** The tools that the caller may use: the coordinator has no machine of its own, and only some teams a document. */
async function toolsFor(
  federation: Federation,
  entry: RegistryEntry | undefined,
): Promise<readonly Request[]> {
  if (entry === undefined) return [...mailTools, ...findingTools]
  const { delivers } = await federation.archetype(entry.archetypeId)
  return [...mailTools, ...teamTools, ...(delivers ? deliverableTools : []), ...findingTools]
}

function inWords(error: unknown): string {
  if (error instanceof FedError) return error.message
  return `unexpected: ${error instanceof Error ? error.message : String(error)}`
}

/** The standard output is the protocol's, and the server ends with its client. */
const watch = { signal: new AbortController().signal, onOutput: () => undefined, onBegin: () => undefined }

type Args = Readonly<Record<string, unknown>>

/** Carries out a request by its name, and gives what a model needs of the answer. */
async function carryOut(
  { federation, address, tray }: Service,
  request: Request,
  args: Args,
): Promise<unknown> {
  const perform = async (one: Request, given: Args) =>
    tray === undefined
      ? one.carryOut({ federation, address, watch }, inputFor(one, given))
      : ask(tray, { verb: one.name, args: given })
  const answer = await perform(request, args)
  switch (request.name) {
    case mail.read.name: {
      const { signal, note, isMail } = answer as AnswerOf<typeof mail.read>
      if (isMail) await perform(mail.acknowledge as unknown as Request, { signal: signal.file })
      return note === undefined ? signal : { ...signal, note }
    }
    case mail.acknowledge.name:
      return { acknowledged: (answer as AnswerOf<typeof mail.acknowledge>).file }
    case mail.send.name:
      return filed((answer as AnswerOf<typeof mail.send>).signal)
    case mail.answer.name:
      return filed(answer as AnswerOf<typeof mail.answer>)
    case team.report.name:
    case team.alert.name: {
      const { outcome, from, to, accepts } = answer as AnswerOf<typeof team.report>
      return { outcome, from, to, accepts }
    }
    default:
      return answer
  }
}

function filed({ to, file, id }: { to: string; file: string; id: string }) {
  return { to, file, id }
}

/**
 * Serves the caller's tools over the standard streams by the Model Context Protocol, until the client closes
 * the input.
 */
export async function serve(service: Service): Promise<void> {
  const { federation, address, coordinates = false } = service
  const entry = address === META ? undefined : federation.registry.entry(address)
  const server = new McpServer(
    { name: 'fed', version: packageVersion },
    {
      instructions: coordinates
        ? `You coordinate a federation of agent teams for a person, as '${address}': these tools make teams, start and stop their agents, and read and answer their mail. Ask the person before you spend money. Nothing here trusts code or takes a team out; that is the person's, by the commands 'fed trust' and 'fed offboard'.`
        : `You act as '${address}' in a federation of agent teams: these tools are your mailbox and your team's lifecycle.`,
      // what is offered stays as it is while the server runs; of mail it tells whoever subscribes to it
      capabilities: {
        tools: { listChanged: false },
        prompts: { listChanged: false },
        resources: { listChanged: false, subscribe: true },
      },
    },
  )
  for (const request of await toolsFor(federation, entry)) {
    const { name, tool = name, description, input, isReadOnly, isDestructive, isIdempotent } = request
    const answers = answerSchemas[tool]
    server.registerTool(
      tool,
      {
        description,
        inputSchema: described(input),
        ...(answers === undefined ? {} : { outputSchema: described(answers) }),
        annotations: {
          readOnlyHint: isReadOnly,
          destructiveHint: isDestructive,
          idempotentHint: isIdempotent,
          openWorldHint: false,
        },
      },
      async (given: unknown) => {
        try {
          if (entry !== undefined) assertSameTeam(federation.registry, address, entry.onboardedAt)
          const answer = await carryOut(service, request, given as Args)
          return {
            content: [{ type: 'text', text: JSON.stringify(answer) }],
            structuredContent: structured(tool, answer),
          }
        } catch (error) {
          return { content: [{ type: 'text', text: inWords(error) }], isError: true }
        }
      },
    )
  }
  if (coordinates) addCoordinatorTools(server, federation.root)
  const endWatch = addResources(server, federation, address, entry)
  const closed = new Promise<void>((resolve) => {
    server.server.onclose = resolve
  })
  await server.connect(new StdioTransport())
  await closed
  endWatch()
}
