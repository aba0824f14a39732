/**
 * Who may say what: the one table. A person's shell may do everything. An agent, in its session, speaks as its own
 * team; what it may not is refused with exit 5, changes nothing, and `meta` is told once. In a session without walls
 * that is best effort: whoever unsets `FED_TRAY` is a person there.
 */

/** Whom something concerns, seen from the team whose agent asks. */
export const targets = ['own', 'other', 'meta', 'federation'] as const
export type Target = (typeof targets)[number]

/** What the targets mean, for people. */
export const targetWords: Readonly<Record<Target, string>> = {
  own: 'its own team',
  other: 'another team',
  meta: 'meta',
  federation: 'the whole federation',
}

interface Rule {
  /** For whom an agent may. */
  readonly agent: readonly Target[]
  /** Why, for whoever is refused. */
  readonly because: string
}

const asItself: Rule = { agent: ['own'], because: 'an agent speaks as its own team' }
const ownMail: Rule = { agent: ['own'], because: "an agent reads its own team's mail" }
const looks: Rule = { agent: ['own', 'other', 'federation'], because: 'looking at teams is for everybody' }
const persons: Rule = { agent: [], because: 'only a person may' }

/** A rule for each command, and for what is a tool of agents alone. */
export const rights = {
  report: asItself,
  alert: asItself,
  learn: asItself,
  'write-deliverable': asItself,
  reply: ownMail,
  read: ownMail,
  ack: ownMail,
  inbox: ownMail,
  outbox: ownMail,
  send: { agent: ['own', 'other', 'meta'], because: 'an agent writes to teams and to meta' },
  mcp: asItself,
  check: looks,
  plan: looks,
  status: looks,
  'status-of-all': looks,
  history: looks,
  costs: looks,
  learnings: looks,
  diagram: looks,
  rights: looks,
  completion: looks,
  prompt: persons,
  run: persons,
  goal: persons,
  answer: persons,
  init: persons,
  onboard: persons,
  launch: persons,
  monitor: persons,
  chat: persons,
  'archive-signals': persons,
  pause: persons,
  resume: persons,
  archive: persons,
  restore: persons,
  offboard: persons,
  skills: persons,
  dashboard: persons,
  inspect: persons,
  config: persons,
  doctor: persons,
  trust: persons,
  link: persons,
  sites: looks,
  move: persons,
  takeover: persons,
} as const satisfies Readonly<Record<string, Rule>>

export type Command = keyof typeof rights

/**
 * Whether an agent may.
 * @param command as typed; what no rule names is a person's.
 * @returns why not; undefined where it may.
 */
export function refusalFor(command: string, target: Target): string | undefined {
  const { agent, because }: Rule = Object.hasOwn(rights, command) ? rights[command as Command] : persons
  return agent.includes(target) ? undefined : because
}
