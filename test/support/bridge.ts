import { Alarm } from '../../src/apps/chat/alarm.ts'
import { Bridge } from '../../src/apps/chat/bridge.ts'
import type { Channel } from '../../src/apps/chat/channel.ts'
import { ChatLedger } from '../../src/apps/chat/chat-ledger.ts'
import { chatSettings } from '../../src/apps/chat/chat-settings.ts'
import { openChannel } from '../../src/apps/chat/open-channel.ts'
import { Lease } from '../../src/apps/chat/channel-lease.ts'
import { openFederation } from '../../src/federation/federation.ts'

/** A bridge in this process, as `fed chat` makes it, without an agent to ask. */
export interface TestBridge {
  readonly bridge: Bridge
  readonly ledger: ChatLedger
  end(): Promise<void>
}

/**
 * @param around makes another channel of the one that the configuration names.
 * @param alarm wakes it, instead of the clock.
 */
export async function openBridge(
  root: string,
  around: (channel: Channel, name: string) => Channel = (channel) => channel,
  alarm: Pick<Alarm, 'ring' | 'next'> = new Alarm(),
): Promise<TestBridge> {
  const federation = await openFederation(root)
  const settings = chatSettings(federation)
  const { name } = settings
  const ledger = new ChatLedger(root, settings.key)
  const lease = await Lease.await(ledger)
  const opened = openChannel(federation, settings, { patienceMs: 20_000, log: () => undefined })
  const channel = around(opened.channel, name)
  const bridge = new Bridge({
    federation,
    channel,
    name,
    allowedSenders: () => settings.allowedSenders,
    lease,
    conversation: undefined,
    alarm,
  })
  const end = async () => {
    await channel.close()
    lease.release()
  }
  return { bridge, ledger, end }
}
