import { RefusedError } from '../errors.ts'
import type { Federation } from '../federation.ts'
import { META } from '../protocol/team-id.ts'
import type { FiledSignal } from '../signals/mailbox.ts'

/**
 * Acknowledges a signal for whoever read it. A signal that moves a machine is the actor's to acknowledge: the
 * team is stepped, so that reading never loses an event.
 * @throws {RefusedError} when it is such an event and still waits for a state that takes it.
 */
export async function acknowledgeMail(
  federation: Federation,
  address: string,
  signal: FiledSignal,
): Promise<void> {
  const mailbox = federation.mailbox(address)
  if (address !== META && signal.to === address && signal.acknowledged !== true) {
    const team = await federation.team(address)
    if (team.handles(signal)) {
      await team.step()
      if (mailbox.find(signal.file).acknowledged === true) return
      throw new RefusedError(
        `${signal.file} is for ${address}'s machine, which takes it later (now it is ${team.present().state}); it stays unacknowledged until then`,
      )
    }
  }
  mailbox.acknowledgeFiles([signal.file])
}
