import { timeInWords } from '../../../../diagram/time-words.ts'

const clockFormat = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hour12: false,
})
const dayFormat = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' })

/** `16:42:07`, with the day where it is not today's. */
export function clock(at: number, present = Date.now()): string {
  const isToday = new Date(at).toDateString() === new Date(present).toDateString()
  return isToday ? clockFormat.format(at) : `${dayFormat.format(at)} ${clockFormat.format(at)}`
}

export function exact(at: number): string {
  return new Date(at).toISOString()
}

/** A length of time for a live figure: whole seconds, which do not flicker. */
export function lasting(milliseconds: number): string {
  const whole = Math.max(0, Math.floor(milliseconds / 1000) * 1000)
  return timeInWords(whole).replace(/\.0 s$/, ' s')
}

/** The same where there is little room: its largest part, such as `44 min`. */
export function roughly(milliseconds: number): string {
  return lasting(milliseconds).split(' ').slice(0, 2).join(' ')
}

export function ago(milliseconds: number): string {
  return milliseconds < 1000 ? 'just now' : `${lasting(milliseconds)} ago`
}

export function bytesInWords(bytes: number): string {
  return bytes < 1024
    ? `${bytes} B`
    : bytes < 1024 ** 2
      ? `${(bytes / 1024).toFixed(1)} KB`
      : `${(bytes / 1024 ** 2).toFixed(1)} MB`
}
