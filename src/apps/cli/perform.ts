import type * as z from 'zod/mini'
import type { Caller, Request } from '../../agents/requests/request.ts'
import { RefusedError } from '../../errors/fed-error.ts'
import type { CommonOptions } from './declare-command.ts'
import { interruption } from './interruption.ts'
import { note } from './output.ts'
import { openScope, openToRead, refuseMeta, startingFolder } from './scope.ts'
import { sessionTray } from './session-tray.ts'

/** Who asks, where that is not the acting team or `meta`. */
interface As {
  /** A team's id or name, or `meta`, as it was typed. */
  readonly as?: string | undefined
  /** Whether only a team can ask it. */
  readonly isForTeams?: boolean
}

/**
 * Carries out a request: in an agent's session by asking whoever serves its tray, and otherwise here.
 * @param load gives the request; in a session its code is not needed.
 * @throws what the request throws; in a session with the same words and the same exit code.
 */
export async function perform<Input extends z.ZodMiniType, Answer>(
  options: CommonOptions,
  verb: string,
  load: () => Promise<Request<Input, Answer>>,
  input: z.input<Input>,
  { as, isForTeams = false }: As = {},
): Promise<Answer> {
  const onOutput = (chunk: Buffer) => {
    if (!options.quiet) process.stderr.write(chunk)
  }
  const tray = sessionTray()
  if (tray !== undefined) {
    await assertOwnFederation(options)
    const { ask } = await import('../../agents/tray/ask.ts')
    const args = input as Record<string, unknown>
    return (await ask(tray, { verb, as, args, onProgress: onOutput })) as Answer
  }
  if (isForTeams && as !== undefined) refuseMeta(as)
  const request = await load()
  const { federation, actor } = await (request.isReadOnly ? openToRead : openScope)(options, as)
  let signal: AbortSignal | undefined
  const watch: Caller['watch'] = {
    // whoever takes long is interrupted in order; everything else ends at once
    get signal() {
      return (signal ??= interruption())
    },
    onOutput,
    onBegin: (words) => note(options, `· ${words}`),
  }
  const { inputFor } = await import('../../agents/requests/request.ts')
  return request.carryOut({ federation, address: actor, watch }, inputFor(request, input))
}

/** @throws {RefusedError} in a session, for a federation that is not the session's. */
async function assertOwnFederation(options: CommonOptions): Promise<void> {
  if (options.dir === undefined) return
  const { findRoot } = await import('../../federation/root.ts')
  const { root } = findRoot(startingFolder(options))
  if (root === process.env['FED_ROOT']) return
  throw new RefusedError(`--dir: an agent speaks in its own federation, which is ${process.env['FED_ROOT']}`)
}
