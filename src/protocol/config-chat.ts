import * as z from 'zod/mini'

const toolName = (description: string) =>
  z.string().check(z.regex(/^[\w./:-]{1,128}$/, 'is no name of a tool'), z.describe(description))

/** A server whose tools fed calls itself. */
const serverSchema = z
  .strictObject({
    command: z.array(z.string()).check(
      z.minLength(1, 'names no program'),
      z.refine(([program]) => program !== undefined && /\S/.test(program), 'names no program'),
      z.describe(
        'Program of the server and its arguments, each by itself: no shell reads them. It runs in the folder of this file, with the environment of fed, from which it has its key.',
      ),
    ),
    tools: z
      .strictObject({
        list: toolName(
          'Tool that lists the messages of the channel, the newest at least, as JSON with id, sender, time and text of each.',
        ),
        post: toolName('Tool that posts a text to the channel, or in a thread where it takes one.'),
        reply: z.optional(toolName('Tool that answers in a thread, where the server has another for it.')),
      })
      .check(z.describe('Names of the tools that are called.')),
    arguments: z.optional(
      z
        .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
        .check(
          z.describe(
            'Arguments that the tools get as they stand here, such as another name of the channel. The rest fed fills in by what each tool takes: team, channel, number of messages, text, thread.',
          ),
        ),
    ),
  })
  .check(
    z.describe(
      'MCP server (stdio) by whose tools fed reads and writes the channel itself, without a model. It has its own key: none stands here.',
    ),
  )

/** `chatConfig` of the configuration (spec §2.3). */
export const chatSchema = z
  .strictObject({
    teamId: z
      .string()
      .check(
        z.regex(z.core.regexes.guid, 'is not a GUID'),
        z.describe('GUID of the team in the chat product.'),
      ),
    channelId: z
      .string()
      .check(
        z.regex(/^19:.+@thread\.tacv2$/, 'has not the shape 19:…@thread.tacv2'),
        z.describe('Channel in that team, of the shape 19:…@thread.tacv2.'),
      ),
    allowedSenders: z.optional(
      z
        .array(z.string().check(z.regex(/\S/, 'is empty')))
        .check(
          z.minLength(1, 'names nobody: leave it out, or name who may command'),
          z.describe(
            "Who may command by chat, as the chat product calls a sender: an address or a user's id. Without it everybody in the channel may.",
          ),
        ),
    ),
    server: z.optional(serverSchema),
  })
  .check(z.describe('Chat channel for summaries to people and commands from them; it needs federationName.'))
