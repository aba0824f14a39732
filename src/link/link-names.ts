import { addressSchema } from '../protocol/team-id.ts'

/** Everything of a federation at the servers is named after it: one stream, one bucket, one store of files. */
export interface LinkNames {
  readonly stream: string
  /** What the stream takes. */
  readonly subjects: string
  /** Sites that are there now. */
  readonly sites: string
  readonly files: string
  /** A team's line: who has it, and each version of its life. */
  line(team: string): string
  /** A signal on its way. A site may publish what comes from itself, and nothing else. */
  signal(fromSite: string, toTeam: string): string
  /** A task that a site may take. */
  offer(team: string): string
}

export function linkNames(federation: string): LinkNames {
  const prefix = `fed.${federation}`
  return {
    stream: `FED_${federation}`,
    subjects: `${prefix}.>`,
    sites: `FED_${federation}_sites`,
    files: `FED_${federation}_files`,
    line: (team) => `${prefix}.line.${team}`,
    signal: (site, team) => `${prefix}.signal.${site}.${team}`,
    offer: (team) => `${prefix}.offer.${team}`,
  }
}

/** What a subject of the stream is about; undefined for one that is none of ours. */
export function readSubject(
  subject: string,
):
  | { readonly kind: 'line' | 'offer'; readonly team: string }
  | { readonly kind: 'signal'; readonly site: string; readonly team: string }
  | undefined {
  const [, , kind, first, second] = subject.split('.')
  const team = kind === 'signal' ? second : first
  // before a name becomes a path
  if (!addressSchema.safeParse(team).success) return undefined
  if ((kind === 'line' || kind === 'offer') && first !== undefined) return { kind, team: first }
  if (kind === 'signal' && first !== undefined && second !== undefined)
    return { kind, site: first, team: second }
  return undefined
}

/** Header of a signal: in which epoch of its sender it was sent. */
export const EPOCH = 'Fed-Epoch'

/** Header of a signal that is too large for a message: the digest under which it is kept. */
export const KEPT = 'Fed-Kept'
