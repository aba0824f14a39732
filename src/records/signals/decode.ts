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
  try {
    return checked(parseStrictJson(text))
  } catch (error) {
    return { fault: (error as Error).message }
  }
}

/** Strictly reads a text that holds one signal, or a list of them. */
export function decodeSignals(text: string): Decoded[] {
  try {
    const json = parseStrictJson(text)
    return Array.isArray(json) ? json.map(checked) : [checked(json)]
  } catch (error) {
    return [{ fault: (error as Error).message }]
  }
}

function checked(json: unknown): Decoded {
  const parsed = signalSchema.safeParse(json)
  if (parsed.success) return { signal: parsed.data }
  const fault = describeProblems(parsed.error, '; ')
  return { fault: fault.length > longestFault ? `${fault.slice(0, longestFault)}…` : fault }
}
