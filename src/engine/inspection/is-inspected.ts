/** Whether the processes that step teams tell the wire what they do. */
export function isInspected(): boolean {
  const { FED_INSPECT } = process.env
  return FED_INSPECT !== undefined && !['', '0', 'false'].includes(FED_INSPECT)
}

/** Turns the wire on for this process and those that it starts (`--inspect`). */
export function beInspected(): void {
  process.env.FED_INSPECT = '1'
}
