import * as z from 'zod/mini'
import { UsageError } from '../../../errors/fed-error.ts'
import type { Federation } from '../../../federation/federation.ts'
import { describeProblems } from '../../../protocol/problems.ts'
import { signalTypes } from '../../../protocol/signal.ts'
import { META } from '../../../protocol/team-id.ts'
import { acknowledgeMail } from '../../../federation/mail.ts'
import { reply } from '../../../federation/reply-to-signal.ts'
import { say } from '../../../federation/send-checked.ts'

const nothing = z.strictObject({})
const message = z.strictObject({ type: z.enum(signalTypes), subject: z.string(), body: z.string() })
const answer = z.strictObject({ signal: z.string(), body: z.string() })
const references = z.strictObject({ signals: z.array(z.string()).check(z.minLength(1)) })

/** What was done, in words. */
interface Done {
  readonly done: string
}

type Act = (federation: Federation, address: string, given: unknown) => Promise<Done>

/**
 * What the page may do: what the commands of these names do, by the same code and under the same guards. Whoever
 * acts on the page is `meta`.
 */
export const acts: Readonly<Record<string, Act>> = {
  async pause(federation, team, given) {
    parse(nothing, given)
    await (await federation.team(team)).pause()
    return { done: `${team} is paused` }
  },
  async resume(federation, id, given) {
    parse(nothing, given)
    const team = await federation.team(id)
    await team.resume()
    return { done: `${id} is ${team.present().state} again` }
  },
  async send(federation, to, given) {
    const { type, subject, body } = parse(message, given)
    const signal = await say(federation, { from: META, to, type, subject, body })
    if (to === META) return { done: 'sent to meta' }
    const team = await federation.team(to)
    await team.step()
    const entry = team.history().findLast((each) => each.signal === signal.id)
    if (entry?.outcome === 'refused') return { done: `sent, and refused: ${entry.refusal?.message}` }
    return { done: entry === undefined ? `sent to ${to}, where it waits` : `sent to ${to}, which took it` }
  },
  async reply(federation, address, given) {
    const { signal, body } = parse(answer, given)
    const { to } = await reply(federation, address, signal, { body })
    return { done: `answered ${to}` }
  },
  async acknowledge(federation, address, given) {
    const { signals } = parse(references, given)
    const mailbox = federation.mailbox(address)
    // all are read once, and not for each of them
    const lying = new Map(mailbox.all().map((signal) => [signal.file, signal]))
    const [only] = signals
    if (signals.length === 1 && only !== undefined) {
      await acknowledgeMail(federation, address, lying.get(only) ?? mailbox.find(only))
      return { done: 'acknowledged' }
    }
    // of many, one may have been put away since the page showed it
    const there = signals.flatMap((name) => lying.get(name) ?? [])
    for (const signal of there) await acknowledgeMail(federation, address, signal)
    return { done: `acknowledged ${there.length} signals` }
  },
}

function parse<Schema extends z.ZodMiniType>(schema: Schema, given: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(given)
  if (!parsed.success) throw new UsageError(describeProblems(parsed.error, '; '))
  return parsed.data
}
