import { describeProblems } from '../protocol/problems.ts'
import { signalSchema, type SignalMessage } from '../protocol/signal.ts'

type Decoded =
  | { readonly signal: SignalMessage; readonly fault?: undefined }
  | { readonly signal?: undefined; readonly fault: string }

/** Strictly reads a signal file's text (spec §2.1); a fault names every field that is wrong. */
export function decodeSignal(text: string): Decoded {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    return { fault: `not JSON: ${(error as Error).message}` }
  }
  const parsed = signalSchema.safeParse(json)
  if (parsed.success) return { signal: parsed.data }
  return { fault: describeProblems(parsed.error, '; ') }
}
