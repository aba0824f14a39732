import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fedJson } from './fed.ts'
import { trust } from './allow-everything.ts'

/** A message as the log shows it. */
export interface Said {
  readonly id: string
  readonly thread: string
  readonly sender: string
  readonly text: string
}

/** Says something in the local channel. */
export function say(root: string, text: string, sender = 'ann'): Promise<Said> {
  return fedJson<Said>(root, ['chat', 'say', text, '--as', sender])
}

/** Every message of the local channel, read as any program would. */
export function saidIn(root: string): Said[] {
  const file = path.join(root, '.fed', 'chat', 'messages.jsonl')
  if (!existsSync(file)) return []
  // whole lines only: a bridge may be writing the next
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  return lines.flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Said]))
}

/** What was answered in a message's thread. */
export function answersTo(root: string, { id }: Pick<Said, 'id'>, sender = 'shop'): string[] {
  return saidIn(root).flatMap((one) => (one.thread === id && one.sender === sender ? [one.text] : []))
}

export const chatConfig = {
  teamId: '3f2a91c0-5d1e-4b7a-9c55-0a1b2c3d4e5f',
  channelId: '19:abc@thread.tacv2',
}

/** Adds fields to a federation's configuration, and allows what they name. */
export function configure(root: string, settings: object): void {
  const file = path.join(root, 'federate.config.json')
  const present = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as object) : {}
  writeFileSync(file, JSON.stringify({ ...present, ...settings }))
  trust(root)
}
