const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const signalFields = ['id', 'timestamp', 'from', 'to', 'type', 'subject', 'body', 'protocol']

/** Whether the specification's table, read once more and by hand, takes this as a signal. */
export function isSignal(json: unknown): boolean {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return false
  const fields = new Map(Object.entries(json))
  const isAddress = (id: unknown) =>
    typeof id === 'string' && id.length <= 64 && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(id)
  const isTime = (at: unknown) =>
    typeof at === 'string' &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(at) &&
    !Number.isNaN(Date.parse(at)) &&
    // Date.parse takes the 31st of November for the 1st of December
    new Date(`${at.slice(0, 10)}T00:00:00Z`).toISOString().startsWith(at.slice(0, 10))
  return (
    signalFields.every((field) => typeof fields.get(field) === 'string') &&
    [...fields.keys()].every((field) => signalFields.includes(field) || field.startsWith('acknowledged')) &&
    uuidShape.test(String(fields.get('id'))) &&
    isTime(fields.get('timestamp')) &&
    isAddress(fields.get('from')) &&
    isAddress(fields.get('to')) &&
    ['directive', 'question', 'report', 'alert'].includes(String(fields.get('type'))) &&
    fields.get('protocol') === 'file-signal-v1' &&
    ['boolean', 'undefined'].includes(typeof fields.get('acknowledged')) &&
    [...fields.keys()]
      .filter((field) => field.startsWith('acknowledged'))
      .every((field) => /^acknowledged(_at)?$/.test(field)) &&
    (fields.get('acknowledged_at') === undefined || isTime(fields.get('acknowledged_at')))
  )
}
