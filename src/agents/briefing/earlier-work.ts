import path from 'node:path'
import type { Session } from '../sessions/session-record.ts'
import { named, quoted, wordsOf } from './outside-text.ts'
import type { PromptFacts } from './prompt-facts.ts'

/** What this mission has reached, so that nobody does it twice. */
export function progressSection({ status, lastSession, accepted, context }: PromptFacts): string[] {
  if (lastSession === undefined && accepted.length === 0) return []
  const { plan, insights, testedCommit } = context as {
    plan?: unknown
    insights?: string | null
    testedCommit?: string | null
  }
  const whole = `\`fed history ${status.team} --json\` names the signal that holds all of it`
  return [
    [
      '# So far',
      ...(lastSession === undefined
        ? []
        : [`${howItEnded(lastSession)} Its output is in ${named(lastSession.log)}.`]),
      ...(accepted.length === 0
        ? ['No milestone of this mission was accepted yet.']
        : [`Accepted:\n\n${accepted.map(({ event, at }) => `- ${event}, ${at}`).join('\n')}`]),
      ...(typeof plan === 'string' && plan !== ''
        ? [wordsOf(`The plan, as the agent of ${status.team} wrote it:`, plan, whole)]
        : []),
      ...(insights
        ? [wordsOf(`The insights, as the agent of ${status.team} wrote them:`, insights, whole)]
        : []),
      ...(testedCommit ? [`Tests passed on commit ${testedCommit}.`] : []),
    ].join('\n\n'),
  ]
}

function howItEnded({ number, end }: Session): string {
  const session = `Session ${number}`
  switch (end?.cause) {
    case undefined:
    case 'lost':
      return `${session} was lost with its launcher.`
    case 'ended':
      return `${session} ended by itself with exit code ${end?.exitCode}.`
    case 'timed-out':
      return `${session} was stopped when its time was over.`
    case 'interrupted':
      return `${session} was interrupted.`
    case 'paused':
      return `${session} was stopped because the team was paused.`
    case 'too-many-processes':
      return `${session} was ended because it had too many processes at once.`
    case 'disk-used-up':
      return `${session} was ended because it wrote too much to its folders.`
    case 'overflowed':
      return `${session} became longer than its model can read; this one begins anew.`
    default:
      return `${session} is over (${end?.cause}).`
  }
}

/** After a reset: what was before, where it is, and what of it does not count any more. */
export function earlierSection({ status, archetype, earlier, branch }: PromptFacts): string[] {
  if (earlier === undefined) return []
  const { number, folder, deliverable, last } = earlier
  const { missionNumber, mission, team } = status
  const isSame = last !== undefined && last.subject === mission?.subject && last.body === mission?.body
  const before =
    last === undefined
      ? ''
      : ` Mission ${number} was ${isSame ? 'the same' : quoted(last.subject)} and ended in state ${quoted(last.state)}.`
  const which = number === 1 ? 'Mission 1 is' : `Missions 1 to ${number} are`
  return [
    [
      '# Earlier missions',
      `This is mission ${missionNumber}; the team was reset and begins anew. ${which} archived under ${named(path.dirname(folder))}/<n>/ with history and sessions: read what helps, change nothing there.${before}`,
      [
        ...(deliverable === undefined
          ? []
          : [
              `- What mission ${number} delivered is ${named(deliverable)}; the deliverable of this mission is written anew.`,
            ]),
        '- No milestone of an earlier mission counts.',
        `- The learning log was kept (\`fed learnings ${team}\`), but only what is logged from now on is evidence: log again what still holds.`,
        ...(branch === undefined || archetype.id !== 'coding'
          ? []
          : [
              `- The branch ${named(branch.name)} begins at ${named(branch.target)} again: only what is committed on it from now on is work of this mission.`,
              `- What an earlier mission left that no branch has is kept under refs/fed/rescue/${team}/ (\`git for-each-ref refs/fed/rescue/${team}\` lists it); take from it what still holds.`,
            ]),
      ].join('\n'),
    ].join('\n\n'),
  ]
}
