import type { MissionWords } from '../shown.ts'
import { model, toneOf, type Detail, type TeamRow } from './page-model.ts'
import { backButton } from './back-button.tsx'
import type { VNode } from 'preact'
import { commitsShown, shownMoment, type Standing } from './moment.ts'
import { isNotStarted } from './groups.ts'
import { beginWith } from './team-list.tsx'
import { carryOut, openDialog, showMoment } from './server-events.ts'
import { clock, exact, lasting } from './figures-in-words.ts'

/** Who the team is, where it stands, what it was told to do, and what can be done. */
export function teamHead(row: TeamRow, detail: Detail, standing: Standing | undefined): VNode {
  return head(row, standing, wordsAt(detail, standing))
}

/** What a team was told to do, as it was known at the moment that is shown. */
function wordsAt(detail: Detail, standing: Standing | undefined): MissionWords | undefined {
  const said = commitsShown(detail).flatMap(({ mission, words }) =>
    words !== undefined && mission === standing?.mission ? [words] : [],
  )
  const last = said.at(-1)
  return last && { ...last, instructions: said.flatMap(({ instructions }) => instructions) }
}

function head(row: TeamRow, standing: Standing | undefined, words: MissionWords | undefined): VNode {
  const isLive = model.moment === undefined
  const state = isLive ? row.state : (standing?.state ?? null)
  const phase = isLive ? row.phase : (standing?.phase ?? null)
  const isOver = phase === 'finished'
  const isIdle = isNotStarted(row)
  return (
    <header class="head" key="head">
      {backButton(() => (model.isListShown = true))}
      <h1>{row.team}</h1>
      <span class="archetype">{row.archetype}</span>
      <span class={`pill ${isIdle ? 'none' : toneOf(row.spine, state, phase)}`} id="state">
        {state ?? (isLive ? 'unreadable' : 'not yet there')}
      </span>
      {isIdle && (
        <span class="archetype" id="idle">
          not started
        </span>
      )}
      {standing === undefined || state === null ? null : (
        <span class="lasting" title={`since ${exact(standing.since)}`}>
          {isOver ? `at ${clock(standing.since)}` : `for ${lasting(shownMoment() - standing.since)}`}
        </span>
      )}
      {row.status === 'active' || !isLive ? null : <span class="archetype">{row.status}</span>}
      {isLive && row.working ? <span class="agent">agent runs</span> : null}
      {isLive && row.asks !== null && <span class="archetype">waits for an answer of {row.asks}</span>}
      {isLive && controls(row)}
      <div class="mission">
        {row.missions.length > 1 && missionPicker(row, standing)}
        {standing?.subject ? (
          <details key="words">
            <summary dir="auto">{standing.subject}</summary>
            {missionText(words)}
          </details>
        ) : (
          <span class="muted">{state === null ? '' : 'no mission yet'}</span>
        )}
      </div>
      {isLive && isIdle && (
        <div class="mission muted" key="begin">
          Begin with <code>{beginWith(row)}</code>
        </div>
      )}
    </header>
  )
}

function missionText(words: MissionWords | undefined): VNode {
  return (
    <div class="words">
      {words?.body && words.body !== words.subject ? (
        <p class="body" dir="auto">
          {words.body}
        </p>
      ) : null}
      {(words?.instructions ?? []).map(({ at, subject, body }) => (
        <p class="body" dir="auto">
          <b>
            {clock(at)} {subject}
          </b>
          {body === '' ? '' : `\n${body}`}
        </p>
      ))}
      {words?.body || (words?.instructions.length ?? 0) > 0 ? null : <p class="muted">that is all</p>}
    </div>
  )
}

/** Leads to the end of each mission. */
function missionPicker(row: TeamRow, standing: Standing | undefined): VNode {
  return (
    <select
      class="missions"
      aria-label="Mission"
      title="Missions of this team"
      key={`missions ${row.missions.length} ${standing?.mission ?? 0}`}
      onChange={({ currentTarget }) => {
        const number = Number(currentTarget.value)
        const isLast = number === row.missions.at(-1)?.number
        showMoment(isLast ? undefined : row.segments.findLast(({ mission }) => mission === number)?.at)
      }}
    >
      {row.missions.map(({ number, subject }) => (
        <option value={number} selected={number === standing?.mission}>
          mission {number}
          {subject === '' ? '' : `: ${subject.slice(0, 50)}`}
        </option>
      ))}
    </select>
  )
}

function controls({ team, phase, status }: TeamRow): VNode {
  const isPaused = phase === 'paused'
  const isOver = phase === 'finished' || phase === null || status === 'archived'
  const isAlone = !model.isConnected
  return (
    <span class="controls">
      <button
        type="button"
        id="pause"
        disabled={isOver || isAlone}
        title={isPaused ? 'fed resume (p)' : 'fed pause (p)'}
        onClick={() => void carryOut(team, isPaused ? 'resume' : 'pause')}
      >
        {isPaused ? 'Resume' : 'Pause'}
      </button>
      <button
        type="button"
        id="send"
        class="primary"
        disabled={isAlone}
        title="fed send (s)"
        onClick={() => openDialog({ kind: 'send', address: team })}
      >
        Send…
      </button>
    </span>
  )
}

/** What is wrong with the team now. */
export function health({ findings }: TeamRow): VNode | null {
  if (findings.length === 0) return null
  return (
    <ul class="health" aria-label="Health" key="health">
      {findings.map(({ kind, message, fix }) => (
        <li key={`${kind} ${message}`}>
          <b>{kind}</b>
          <span>{message}</span>
          <span class="fix">{fix}</span>
        </li>
      ))}
    </ul>
  )
}
