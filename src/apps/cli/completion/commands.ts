import type { Command } from 'commander'

export type Commands = Readonly<Record<string, (program: Command) => void>>
