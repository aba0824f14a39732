import { ageInWords } from '../protocol/duration.ts'
import type { SignalType } from '../protocol/signal.ts'
import { META } from '../protocol/team-id.ts'
import type { FiledSignal, Mailbox } from '../records/signals/mailbox.ts'
import { longMs, quarantineFindings, unacknowledged } from './health.ts'
import type { HealthFinding } from './health-finding.ts'

/** In the order in which a coordinator should read them: who is blocked, who waits, who tells. */
const order: readonly SignalType[] = ['alert', 'question', 'directive', 'report']

/**
 * Reads meta's unacknowledged mail and acknowledges the reports, which ask for nothing but to be seen. Alerts,
 * questions and directives wait for whoever answers them.
 * @returns all that was read, alerts first.
 */
export function readMetaMail(meta: Mailbox): FiledSignal[] {
  const mail = meta.unacknowledged()
  meta.acknowledgeFiles(mail.filter(({ type }) => type === 'report').map(({ file }) => file))
  // within a kind they keep the order of their times
  return mail.toSorted((a, b) => order.indexOf(a.type) - order.indexOf(b.type))
}

/** What is not healthy about the coordinator's own mail. */
export function metaFindings(meta: Mailbox, mail: readonly FiledSignal[], present: number): HealthFinding[] {
  const alerts = mail.filter(({ type }) => type === 'alert')
  const others = mail.filter(({ type }) => type === 'question' || type === 'directive')
  return [
    ...alerts.map(({ from, subject, timestamp, id }): HealthFinding => {
      const age = present - Date.parse(timestamp)
      const since = age > longMs ? `, ${ageInWords(age)} ago` : ''
      const fix = `'fed read meta ${id.slice(0, 8)}' shows and acknowledges it`
      return { kind: 'alert', team: META, message: `${from} sent an alert${since}: ${subject}`, fix }
    }),
    ...unacknowledged(META, others, present, "'fed reply' answers"),
    ...quarantineFindings(META, meta.quarantined().length, meta.quarantine),
  ]
}
