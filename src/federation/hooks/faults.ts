import { statSync } from 'node:fs'
import path from 'node:path'
import * as z from 'zod/mini'
import { federationLayout } from '../../protocol/folder-layout.ts'
import { now, timestampSchema } from '../../protocol/time.ts'
import { appendLine, readLines } from '../../platform/storage/append-log.ts'
import { hookFunctions } from './hook-definition.ts'
import { tellFault } from './fault-listener.ts'

/** Something that a federation's hook did wrong. */
const faultSchema = z.strictObject({
  at: timestampSchema,
  /** `load` when the module could not even be loaded. */
  function: z.enum([...hookFunctions, 'load']),
  /** Absolute path. */
  file: z.string(),
  /** Counted from 1, where it is known. */
  line: z.optional(z.int()),
  message: z.string(),
  team: z.optional(z.string()),
})
export type HookFault = z.infer<typeof faultSchema>

/** More than these are neither kept nor told: a hook that fails everywhere says nothing new. */
const mostFaults = 100

/** What went wrong since the module was last changed, each place once, the oldest first. */
export function faultsOf(root: string, module: string): HookFault[] {
  const changed = statSync(module, { throwIfNoEntry: false })?.mtimeMs ?? 0
  return readLines(federationLayout(root).hookFaults).values.flatMap((value) => {
    const parsed = faultSchema.safeParse(value)
    return parsed.success && Date.parse(parsed.data.at) >= Math.floor(changed) ? [parsed.data] : []
  })
}

/** Keeps what went wrong and tells it in one line, unless that very place was told since the module was changed. */
export function recordFault(root: string, module: string, found: Omit<HookFault, 'at'>): void {
  const known = faultsOf(root, module)
  const isKnown = known.some(
    (one) => one.function === found.function && one.file === found.file && one.line === found.line,
  )
  if (isKnown || known.length >= mostFaults) return
  const fault = { at: now(), ...found }
  appendLine(federationLayout(root).hookFaults, fault)
  tellFault(describeFault(root, fault))
}

/** `importHook: hooks/fed.ts:12: onTransition: x is not defined`. */
function describeFault(root: string, { function: name, file, line, message }: HookFault): string {
  const place = `${path.relative(root, file)}${line === undefined ? '' : `:${line}`}`
  return `importHook: ${place}: ${name === 'load' ? '' : `${name}: `}${message}`
}
