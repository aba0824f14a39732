import { FedError } from '../../errors/fed-error.ts'
import type { Federation } from '../../federation/federation.ts'
import type { HealthFinding } from '../../monitor/health-finding.ts'
import { META } from '../../protocol/team-id.ts'
import type { RegistryEntry } from '../../protocol/registry-schema.ts'
import type { FiledSignal } from '../../records/signals/mailbox.ts'

/** More lines of one kind are counted and not shown: a chat is no log. */
const mostLines = 20

/** Something that a person has to do, as a line; `key` is the same as long as it is the same matter. */
export interface Need {
  readonly key: string
  readonly line: string
}

/** A text as one line of a chat, not endless. */
export function brief(text: string, longest = 300): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  return [...line].length <= longest ? line : `${[...line].slice(0, longest).join('')}…`
}

/** Findings and questions as what a person has to do. Paths are told from the federation's root. */
export function needsOf(
  root: string,
  findings: readonly HealthFinding[],
  mail: readonly FiledSignal[],
): Need[] {
  const questions = mail.filter(({ type }) => type === 'question' || type === 'directive')
  return [
    ...findings
      // these are the questions themselves, below
      .filter(({ team, kind }) => !(team === META && kind === 'unacknowledged'))
      .map(({ team, kind, message, fix }) => ({
        // an alert is one matter, and so is what a team is found in, however long
        key: kind === 'alert' ? `${kind} ${team} ${fix}` : `${kind} ${team}`,
        line: `! ${brief(`${team === META ? '' : `${team}: `}${message}; ${fix}`.replaceAll(`${root}/`, ''))}`,
      })),
    ...questions.map(({ id, from, type, subject }) => ({
      key: `${type} ${id}`,
      line: `? ${from} ${type === 'question' ? 'asks' : 'directs'}: ${brief(subject, 120)}; 'fed reply meta ${id.slice(0, 8)} --body "…"' answers`,
    })),
  ]
}

/** At most so many lines, and how many more there are. */
export function clipped(lines: readonly string[], most = mostLines): string[] {
  const more = lines.length - most
  return more > 0 ? [...lines.slice(0, most), `… and ${more} more`] : [...lines]
}

/** `3 teams, 1 needs you`. */
export function headline(name: string, teams: number, needs: number): string {
  const count = teams === 1 ? '1 team' : `${teams} teams`
  const need =
    needs === 0 ? 'nothing needs you' : needs === 1 ? '1 thing needs you' : `${needs} things need you`
  return `${name}: ${count}, ${need}`
}

/** A team at one moment, as a chat tells it. */
interface TeamView {
  readonly line: string
  readonly findings: readonly HealthFinding[]
}

/** Whether an agent works for a team now. */
export async function hasAgentAtWork({ location }: RegistryEntry): Promise<boolean> {
  const [{ lastSession }, { isAlive }, { workspaceLayout }] = await Promise.all([
    import('../../agents/sessions/session-record.ts'),
    import('../../monitor/session-health.ts'),
    import('../../protocol/folder-layout.ts'),
  ])
  const session = lastSession(workspaceLayout(location).sessions)
  return session !== undefined && isAlive(session)
}

/** Where a team stands; nothing is changed by asking. */
export async function viewTeam(federation: Federation, entry: RegistryEntry): Promise<TeamView> {
  const [{ presentHealth }, { unreadable }] = await Promise.all([
    import('../../monitor/team-health.ts'),
    import('../../monitor/health.ts'),
  ])
  const id = entry.domainId
  try {
    const team = await federation.openEntry(entry)
    const { state, waits, context, finished } = team.present()
    const works = (await hasAgentAtWork(entry)) ? ', an agent works' : waits ? ', waiting for others' : ''
    const mission = context.mission === null ? 'no mission' : brief(context.mission.subject, 80)
    const status = entry.status === 'archived' ? ', archived' : ''
    const result = finished && state === 'complete' ? ', its result is there' : ''
    return {
      line: `· ${id} ${state}${status}${works}${result}: ${mission}`,
      findings: presentHealth(entry, team),
    }
  } catch (error) {
    if (!(error instanceof FedError)) throw error
    return { line: `· ${id} cannot be read`, findings: [unreadable(entry, error)] }
  }
}
