import {
  isSignalName,
  mailboxesOf,
  signalOf,
  signalsIn,
  type Commit,
  type FederationFacts,
  type Files,
  type Mailbox,
  type Signal,
  type TeamFacts,
} from './federation-facts.ts'

/** What must be true of a federation, given how it was before; yields each way in which it is not. */
export type Invariant = (now: FederationFacts, before: FederationFacts) => Iterable<string>

/** An inbox holds whole signals and their acknowledgments, and never anything temporary. */
function* inboxesHoldNothingHalf(now: FederationFacts, before: FederationFacts): Iterable<string> {
  const known = new Map(mailboxesOf(before).map(({ address, inbox }) => [address, inbox]))
  for (const { address, inbox } of mailboxesOf(now)) {
    for (const [name, text] of inbox) {
      if (known.get(address)?.get(name) === text) continue
      const signal = name.replace(/\.ack$/, '')
      if (!isSignalName(signal)) yield `${name} lies in the inbox of ${address}`
      else if (name === signal && signalOf(text) === undefined)
        yield `${name} in the inbox of ${address} is not whole`
      else if (name !== signal && !inbox.has(signal))
        yield `${name} acknowledges what ${address} does not have`
      else if (name !== signal && !isAcknowledgment(text)) yield `${name} of ${address} is not whole`
    }
  }
}

function isAcknowledgment(text: string): boolean {
  try {
    return (JSON.parse(text) as { acknowledged?: unknown }).acknowledged === true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

/** No two files of an inbox or an outbox are the same signal. */
function* idsAreUnique(now: FederationFacts): Iterable<string> {
  for (const { address, inbox, outbox } of mailboxesOf(now)) {
    for (const [where, files] of [['inbox', inbox] as const, ['outbox', outbox] as const]) {
      const ids = [...signalsIn(files).values()].map(({ id }) => id)
      for (const id of repeated(ids)) yield `${id} lies twice in the ${where} of ${address}`
    }
  }
}

/** What an inbox held is still there with the same bytes, or was put away or set aside whole. */
function* noSignalIsLost(now: FederationFacts, before: FederationFacts): Iterable<string> {
  for (const { address, inbox, outbox } of mailboxesOf(before)) {
    const present = mailboxOf(now, address)
    for (const [name, text] of inbox) {
      if (present?.inbox.get(name) === text || present?.archive.get(name) === text) continue
      if ([...(present?.quarantine.values() ?? [])].includes(text)) continue
      yield `${name} is gone from the inbox of ${address}, or changed`
    }
    for (const [name, text] of outbox) {
      if (isSignalName(name) && present?.outbox.get(name) !== text)
        yield `${name} is gone from the outbox of ${address}, or changed`
    }
  }
}

/** What was acknowledged stays so, also on its way into the archive. */
function* acknowledgedStaysSo(now: FederationFacts, before: FederationFacts): Iterable<string> {
  for (const { address, inbox } of mailboxesOf(before)) {
    const present = mailboxOf(now, address)?.inbox
    for (const name of signalsIn(inbox).keys()) {
      const acknowledgment = `${name}.ack`
      if (inbox.has(acknowledgment) && present?.has(name) && !present.has(acknowledgment))
        yield `${name} was acknowledged by ${address}, and is not any more`
    }
  }
}

/** A copy in an outbox says that the signal was sent: then it is in its recipient's inbox. */
function* recordsWereDelivered(now: FederationFacts): Iterable<string> {
  for (const { address, outbox } of mailboxesOf(now)) {
    for (const [name, { id, to }] of signalsIn(outbox)) {
      const recipient = mailboxOf(now, to)
      if (recipient !== undefined && copiesOf(recipient, id).length === 0)
        yield `${name} stands in the outbox of ${address}, but ${to} never got it`
    }
  }
}

/** A commit never changes, none goes, and each follows the one before it. */
function* commitsNeverChange(now: FederationFacts, before: FederationFacts): Iterable<string> {
  for (const { address, commits, torn } of now.teams) {
    for (const file of torn) yield `${file} lies in two places with different content`
    for (const [index, { version, commit }] of commits.entries()) {
      if (index > 0 && commit.previous !== commits[index - 1]?.commit.id)
        yield `version ${version} of ${address} does not follow the one before`
    }
    const earlier = before.teams.find((team) => team.address === address)?.commits ?? []
    const texts = new Map(commits.map(({ version, text }) => [version, text]))
    for (const { version, text } of earlier) {
      if (texts.get(version) !== text) yield `version ${version} of ${address} is gone or was overwritten`
    }
  }
}

/** A signal counts once in a team's life, however often it was delivered or stepped. */
function* eachSignalCountsOnce(now: FederationFacts): Iterable<string> {
  for (const { address, commits } of now.teams) {
    const handled = commits.flatMap((commit) => commit.handled.map(({ signal }) => signal))
    for (const id of repeated(handled)) yield `${id} was handled twice by ${address}`
  }
}

/** An event that is acknowledged was committed before. */
function* acknowledgedWasCommitted(now: FederationFacts): Iterable<string> {
  for (const team of now.teams) {
    const handled = handledBy(team)
    for (const [name, signal] of signalsIn(team.inbox)) {
      if (isEvent(signal) && team.inbox.has(`${name}.ack`) && !handled.has(signal.id))
        yield `${name} is acknowledged, but ${team.address} never committed it`
    }
  }
}

/** The registry is readable, keeps its teams, and counts upward only. */
function* registryGoesForward(now: FederationFacts, before: FederationFacts): Iterable<string> {
  const [present, earlier] = [now.newestRegistry, before.newestRegistry]
  if (earlier === undefined) return
  if (present === undefined || present.lockVersion < earlier.lockVersion) {
    yield `the registry went from lockVersion ${earlier.lockVersion} to ${present?.lockVersion ?? 'nothing'}`
    return
  }
  if ((now.registry?.lockVersion ?? 0) < (before.registry?.lockVersion ?? 0))
    yield `the published registry went back to lockVersion ${now.registry?.lockVersion ?? 'nothing'}`
  const ids = present.teams.map(({ domainId }) => domainId)
  for (const id of repeated(ids)) yield `${id} is registered twice`
  const known = now.teams.map(({ address }) => address)
  for (const { domainId } of earlier.teams) {
    if (!known.includes(domainId)) yield `${domainId} is no longer registered, and was not offboarded`
  }
}

/** A team that is registered has its whole workspace. */
function* registeredTeamsAreWhole(now: FederationFacts): Iterable<string> {
  for (const { address, published, commits } of now.teams) {
    if (published === undefined || commits.length === 0) yield `${address} is registered without a lifecycle`
  }
}

/** The published files show the newest versions. */
function* newestIsPublished(now: FederationFacts): Iterable<string> {
  for (const { address, published, commits } of now.teams) {
    const newest = commits.at(-1)
    if (published !== newest?.text)
      yield `the lifecycle of ${address} does not show its newest version, ${newest?.version}`
  }
  const { registry, newestRegistry } = now
  if (registry?.lockVersion !== newestRegistry?.lockVersion) {
    yield `the registry shows lockVersion ${registry?.lockVersion}, but the newest is ${newestRegistry?.lockVersion}`
  }
}

/** What was committed is acknowledged. */
function* committedIsAcknowledged(now: FederationFacts): Iterable<string> {
  for (const team of now.teams) {
    const handled = handledBy(team)
    for (const [name, signal] of signalsIn(team.inbox)) {
      if (isEvent(signal) && handled.has(signal.id) && !team.inbox.has(`${name}.ack`))
        yield `${name} was committed by ${team.address}, but is not acknowledged`
    }
  }
}

/** Each signal that a commit asked for arrived, once, as it was committed. */
function* effectsArriveOnce(now: FederationFacts): Iterable<string> {
  for (const { address, commits } of now.teams) {
    for (const { signal, version } of commits.flatMap(effectsOf)) {
      const recipient = mailboxOf(now, signal.to)
      const copies = recipient === undefined ? [] : copiesOf(recipient, signal.id)
      const what = `'${signal.subject}' of version ${version} of ${address}`
      if (copies.length !== 1) yield `${what} reached ${signal.to} ${copies.length} times`
      else if (copies[0]?.body !== signal.body) yield `${what} reached ${signal.to} with another body`
    }
  }
}

function effectsOf({ version, effects }: Commit): { signal: Signal; version: number }[] {
  return effects.flatMap(({ signal }) => (signal === undefined ? [] : [{ signal, version }]))
}

/** Meta hears of nothing that was not committed: no report without the commit that asked for it. */
function* reportsWereCommitted(now: FederationFacts, before: FederationFacts): Iterable<string> {
  const asked = new Set(
    now.teams.flatMap(({ commits }) => commits.flatMap(effectsOf)).map(({ signal }) => signal.id),
  )
  const known = new Set([...signalsIn(before.meta.inbox).values()].map(({ id }) => id))
  for (const [name, { id, subject }] of signalsIn(now.meta.inbox)) {
    if (/^\S+: \S+ to \S+$|^Refused: /.test(subject) && !asked.has(id) && !known.has(id))
      yield `meta got ${name}, which no commit asked for`
  }
}

/** Who sent a signal has one copy of it. */
function* deliveredIsRecorded(now: FederationFacts): Iterable<string> {
  for (const { address, inbox } of mailboxesOf(now)) {
    for (const [name, { id, from }] of signalsIn(inbox)) {
      const sender = mailboxOf(now, from)
      const copies = sender === undefined ? 1 : withId(sender.outbox, id).length
      if (copies !== 1) yield `${from} has ${copies} copies of ${name}, which reached ${address}`
    }
  }
}

/** The registry says what the lifecycle says. */
function* registryAgrees(now: FederationFacts): Iterable<string> {
  for (const { address, status, commits } of now.teams) {
    const value = commits.at(-1)?.snapshot.value
    const expected = value === 'paused' ? 'paused' : 'active'
    if (status !== 'archived' && status !== expected)
      yield `the registry says that ${address} is ${status}, its lifecycle is ${JSON.stringify(value)}`
  }
}

/** What is set aside has its reason. */
function* quarantineTellsWhy(now: FederationFacts): Iterable<string> {
  for (const { address, quarantine } of mailboxesOf(now)) {
    for (const name of quarantine.keys()) {
      if (!name.endsWith('.reason') && !quarantine.get(`${name}.reason`)?.trim())
        yield `${name} was set aside by ${address} without a reason`
    }
  }
}

/** True at every instant, also while a process lies dead or stopped in the middle of something. */
export const always: readonly Invariant[] = [
  inboxesHoldNothingHalf,
  idsAreUnique,
  noSignalIsLost,
  acknowledgedStaysSo,
  recordsWereDelivered,
  commitsNeverChange,
  eachSignalCountsOnce,
  acknowledgedWasCommitted,
  reportsWereCommitted,
  registryGoesForward,
  registeredTeamsAreWhole,
]

/** True as soon as nobody is in the middle of something, whoever was stopped on the way. */
export const atRest: readonly Invariant[] = [newestIsPublished, registryAgrees]

/** True once a process has carried on. */
export const carriedOn: readonly Invariant[] = [
  ...atRest,
  committedIsAcknowledged,
  effectsArriveOnce,
  deliveredIsRecorded,
  quarantineTellsWhy,
]

/** Every way in which one of these is broken. */
export function violations(
  invariants: readonly Invariant[],
  now: FederationFacts,
  before: FederationFacts,
): string[] {
  return invariants.flatMap((invariant) => [...invariant(now, before)])
}

function mailboxOf({ meta, teams }: FederationFacts, address: string): Mailbox | undefined {
  return [meta, ...teams].find((mailbox) => mailbox.address === address)
}

function withId(files: Files, id: string): Signal[] {
  return [...signalsIn(files).values()].filter((signal) => signal.id === id)
}

/** A signal as its recipient has it: in the inbox or, once read, in the archive; on the way there in both. */
function copiesOf({ inbox, archive }: Mailbox, id: string): Signal[] {
  const present = withId(inbox, id)
  return present.length > 0 ? present : withId(archive, id)
}

function handledBy({ commits }: TeamFacts): Set<string> {
  return new Set(commits.flatMap((commit) => commit.handled.map(({ signal }) => signal)))
}

/** What a deliverable team's machine handles (design §2): directives of meta, and what it tells itself. */
function isEvent({ from, to, type }: Signal): boolean {
  return from === to || (type === 'directive' && from === 'meta')
}

function repeated(values: readonly string[]): string[] {
  return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))]
}
