// One connection for all tabs of a dashboard: a browser opens six to one address, and the seventh tab would wait
// for the first to be closed.
import { Stream } from './stream.ts'

/** What a tab says: it wants to hear these events, or it goes. */
export type Said = { readonly names: readonly string[] } | { readonly isGone: true }

const tabs = new Set<MessagePort>()
const names = new Set<string>()
const stream = new Stream(names, (heard) => {
  for (const tab of tabs) tab.postMessage(heard)
})

const scope = self as unknown as { onconnect: ((event: MessageEvent) => void) | null }
scope.onconnect = ({ ports: [tab] }) => {
  if (tab === undefined) return
  tab.onmessage = ({ data }: MessageEvent<Said>) => {
    if ('isGone' in data) {
      tabs.delete(tab)
      return
    }
    tabs.add(tab)
    for (const name of data.names) names.add(name)
    // who comes later is told everything, and so is everybody else
    stream.open()
  }
}
