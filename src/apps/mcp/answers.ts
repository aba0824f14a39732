import * as z from 'zod/mini'

const signal = z.looseObject({
  id: z.string(),
  from: z.string(),
  to: z.string(),
  type: z.string(),
  subject: z.string(),
  timestamp: z.string(),
})
const accepted = z.looseObject({ event: z.string(), missing: z.readonly(z.array(z.string())) })
const filed = z.object({ to: z.string(), file: z.string(), id: z.string() })
const milestone = z.looseObject({ outcome: z.string(), from: z.string(), to: z.string() })

/** What each tool answers, by its name. */
export const answerSchemas: Readonly<Record<string, z.ZodMiniType>> = {
  inbox: z.object({ signals: z.array(signal) }),
  read: z.looseObject({ ...signal.shape, body: z.string() }),
  acknowledge: z.object({ acknowledged: z.string() }),
  send: filed,
  reply: filed,
  status: z.looseObject({ team: z.string(), state: z.nullable(z.string()), accepts: z.array(accepted) }),
  report: milestone,
  alert: milestone,
  learn: z.looseObject({}),
  learnings: z.object({ findings: z.array(z.looseObject({})), passedOver: z.array(z.string()) }),
  write_deliverable: z.looseObject({ file: z.string() }),
}

/** An answer as the protocol wants it: an object, also where it is a list. */
export function structured(tool: string, answer: unknown): Record<string, unknown> {
  if (tool === 'inbox') return { signals: answer }
  return Array.isArray(answer) ? { items: answer } : { ...(answer as object) }
}
