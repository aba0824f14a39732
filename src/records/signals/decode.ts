import { describeProblems } from '../../protocol/problems.ts'
import { signalSchema, type SignalMessage } from '../../protocol/signal.ts'
import { parseStrictJson } from '../../protocol/strict-json.ts'

type Decoded =
  | { readonly signal: SignalMessage; readonly fault?: undefined }
  | { readonly signal?: undefined; readonly fault: string }

/** A fault is read by people: of a thousand wrong fields it names the first. */
const longestFault = 1000

/** Strictly reads a signal file's text (spec §2.1); a fault names every field that is wrong. */
export function decodeSignal(text: string): Decoded {
  let json: unknown
  try {
    json = parseStrictJson(text)
  } catch (error) {
    return { fault: (error as Error).message }
  }
  const parsed = signalSchema.safeParse(json)
  if (parsed.success) return { signal: parsed.data }
  const fault = describeProblems(parsed.error, '; ')
  return { fault: fault.length > longestFault ? `${fault.slice(0, longestFault)}…` : fault }
}
