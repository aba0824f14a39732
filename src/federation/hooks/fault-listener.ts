let listener: (line: string) => void = () => undefined

/** Has a program tell what a federation's hook did wrong; without it nobody does, and `fed doctor` knows. */
export function onHookFault(tell: (line: string) => void): void {
  listener = tell
}

export function tellFault(line: string): void {
  listener(line)
}
