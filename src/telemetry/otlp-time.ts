/** A time as OpenTelemetry has it: seconds and nanoseconds. */
export function hrTimeOf(timestamp: string): [number, number] {
  const milliseconds = Date.parse(timestamp)
  const seconds = Math.floor(milliseconds / 1000)
  return [seconds, Math.round((milliseconds - seconds * 1000) * 1e6)]
}
