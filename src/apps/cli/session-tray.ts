/** The tray of the agent's session in which this process runs; undefined outside of one. */
export function sessionTray(): string | undefined {
  return process.env['FED_TRAY'] || undefined
}
