import { statSync } from 'node:fs'
import path from 'node:path'
import * as z from 'zod/mini'
import { NewerFormatError } from '../../errors/newer-format.ts'
import { federationLayout } from '../../protocol/folder-layout.ts'
import { ownFormat } from '../../protocol/own-format.ts'
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

const format = ownFormat('fed-hook-fault-1', faultSchema)

/** More than these are neither kept nor told: a hook that fails everywhere says nothing new. */
const mostFaults = 100

/**
 * What went wrong since the module was last changed, each place once, the oldest first.
 * @throws {NewerFormatError}
 */
export function faultsOf(root: string, module: string): HookFault[] {
  return faultsIn(root, module, format.decodeOrNothing)
}

function faultsIn(root: string, module: string, read: typeof format.decodeOrNothing): HookFault[] {
  const changed = statSync(module, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const { hookFaults } = federationLayout(root)
  return readLines(hookFaults).values.flatMap((value) => {
    const fault = read(value, hookFaults)
    return fault !== undefined && Date.parse(fault.at) >= Math.floor(changed) ? [fault] : []
  })
}

/** Keeps what went wrong and tells it in one line, unless that very place was told since the module was changed. */
export function recordFault(root: string, module: string, found: Omit<HookFault, 'at'>): void {
  const fault = { at: now(), ...found }
  const known = faultsIn(root, module, readOwn)
  const isKnown = known.some(
    (one) => one.function === found.function && one.file === found.file && one.line === found.line,
  )
  if (isKnown || known.length >= mostFaults) return
  appendLine(federationLayout(root).hookFaults, format.stamp(fault))
  tellFault(describeFault(root, fault))
}

/** A hook that fails stops nobody, whoever else wrote into the log. */
function readOwn(value: unknown, file: string): HookFault | undefined {
  try {
    return format.decodeOrNothing(value, file)
  } catch (error) {
    if (error instanceof NewerFormatError) return undefined
    throw error
  }
}

/** `importHook: hooks/fed.ts:12: onTransition: x is not defined`. */
function describeFault(root: string, { function: name, file, line, message }: HookFault): string {
  const place = `${path.relative(root, file)}${line === undefined ? '' : `:${line}`}`
  return `importHook: ${place}: ${name === 'load' ? '' : `${name}: `}${message}`
}
