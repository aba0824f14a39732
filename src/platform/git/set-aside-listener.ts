let listener: (line: string) => void = () => undefined

/** Has a program tell what was put out of git's way; without it nobody does, and `fed doctor` knows. */
export function onSetAside(tell: (line: string) => void): void {
  listener = tell
}

export function tellSetAside(line: string): void {
  listener(line)
}
