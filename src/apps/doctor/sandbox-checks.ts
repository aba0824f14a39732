import { FedError } from '../../errors/fed-error.ts'
import { SandboxError } from '../../errors/session-errors.ts'
import { sandboxFor } from '../../agents/sessions/sandbox.ts'
import type { Found } from '../../monitor/diagnosis/finding.ts'
import type { View } from '../../monitor/diagnosis/view.ts'

/** Whether agents that only read are held to it, as a launch would find out. */
export async function sandboxFindings({ root }: View): Promise<Found[]> {
  const note = (message: string, fix: string): Found[] => [{ severity: 'note', message, fix }]
  try {
    await sandboxFor({ tools: [] }, root, 'on')
    return [{ severity: 'ok', message: 'who only reads has the codebase mounted read-only (bwrap)' }]
  } catch (error) {
    if (error instanceof SandboxError)
      return note(
        `who only reads is watched and in no sandbox: ${error.why}`,
        'see to it, or leave it: what such an agent writes is noticed after its session',
      )
    // what is wrong with git is told by its own check
    if (error instanceof FedError) return []
    throw error
  }
}
