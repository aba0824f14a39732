import { counted } from '../../../../errors/printable.ts'
import type { VNode } from 'preact'
import { mostRows } from './history-panel.tsx'
import { lastOf } from './last-of.ts'
import { nameOf } from './loading.ts'
import { model, type Detail } from './page-model.ts'
import { isOver, missionShown, sessionShown, shownMoment, standingAt } from './moment.ts'
import { bytesInWords, clock, exact } from './figures-in-words.ts'

/** What the team found out, the newest first. */
export function findingsPanel({ learnings }: Detail): VNode {
  return listed(learnings, model.moment)
}

const listed = lastOf((learnings: Detail['learnings'], moment: number | undefined) =>
  list(learnings.filter(({ at }) => at <= (moment ?? Infinity))),
)

function list(found: Detail['learnings']): VNode {
  if (found.length === 0) return <p class="empty">Nothing was found yet</p>
  const left = Math.max(0, found.length - mostRows)
  return (
    <ol class="learnings">
      {found
        .slice(left)
        .toReversed()
        .map(({ at, category, confidence, isSure, tags, content }, index) => (
          <li key={`${found.length - index}`}>
            <span class="category">{category}</span>
            <span class={isSure ? 'confidence high' : 'confidence'} title={`confidence: ${confidence}`}>
              {confidence}
            </span>
            {tags.map((tag) => (
              <span class="tag">{tag}</span>
            ))}
            <time title={exact(at)}>{clock(at)}</time>
            <p dir="auto">{content}</p>
          </li>
        ))}
      {left !== 0 && (
        <li class="empty" key="left">
          {counted(left, 'finding')} before: go back to see them
        </li>
      )}
    </ol>
  )
}

/** The document as it was, or as it is being written. */
export function documentPanel(detail: Detail): VNode {
  const mission = missionShown(detail)
  const document = mission === undefined ? undefined : detail.deliverables.get(mission)
  if (document === undefined || document === null) return <p class="empty">There is no document yet</p>
  const row = model.rows.get(detail.team)
  const standing = row === undefined ? undefined : standingAt(row, shownMoment())
  const isFinished = standing?.phase === 'finished'
  // when it was written is known, what it said before that is not
  if (model.moment !== undefined && !isFinished && document.at > model.moment)
    return (
      <p class="empty">
        At this moment the document was not yet what it is: it was written at {clock(document.at)}
      </p>
    )
  return (
    <article class="document">
      <p class="file">
        <code title={document.file}>{shortened(document.file)}</code> {bytesInWords(document.bytes)}, written{' '}
        {clock(document.at)}
      </p>
      {model.moment !== undefined && document.at > model.moment && (
        <p class="empty">It was written again after this moment, and what it said before nobody knows</p>
      )}
      {document.note !== '' && <p class="empty">{document.note}</p>}
      <div class="markdown" dangerouslySetInnerHTML={{ __html: document.html }} onClick={followAnchor} />
    </article>
  )
}

/** A path as it is seen from the federation's root. */
function shortened(file: string): string {
  const root = `${model.federation?.root ?? ''}/`
  return file.startsWith(root) ? file.slice(root.length) : file
}

/** The page's own address says what is shown, so an anchor of the document only scrolls. */
function followAnchor(event: MouseEvent): void {
  const link = (event.target as Element).closest('a[href^="#"]')
  if (link === null) return
  event.preventDefault()
  document
    .getElementById(decodeURIComponent(link.getAttribute('href')?.slice(1) ?? ''))
    ?.scrollIntoView({ block: 'start' })
}

/** What the agent printed, as it grows. */
export function logPanel(detail: Detail): VNode | null {
  const session = sessionShown(detail)
  if (session === undefined) return null
  const isEnded = isOver(session)
  const key = nameOf(session)
  const isThen = model.moment !== undefined && !isEnded
  const then = detail.logThen?.session === key ? detail.logThen.log : undefined
  const log = isThen ? then : detail.logs.get(key)
  const fate = isEnded
    ? `${session.end?.cause}${session.end?.exitCode == null || session.end.exitCode === 0 ? '' : `, exit code ${session.end.exitCode}`}`
    : session.running || session.end !== null
      ? 'running'
      : 'nobody recorded its end'
  return (
    <section class="panel log" aria-label="Session log">
      <header>
        <h2>Session</h2>
        <span class="muted">
          {session.mission}-{session.number} · {session.agent} · {clock(session.at)}
        </span>
        <span class={`hold${session.isConfined ? ' muted' : ' open'}`} title={session.hold}>
          {session.isConfined ? 'confined' : 'open'}
        </span>
        <span class="muted used" title={`mission ${session.mission}: ${session.usedByMission}`}>
          {session.used}
        </span>
        <span
          class={`fate${session.running && !isEnded ? ' running' : ''}${isEnded && (session.end?.exitCode ?? 0) !== 0 ? ' bad' : ''}`}
        >
          {fate}
        </span>
        {isThen && then?.isAsThen === false && (
          <span class="muted">· nobody noted its times: this is all of it</span>
        )}
      </header>
      <pre id="log" tabindex={0} key={`${detail.team} ${key}`}>
        {log?.text || (log === undefined ? '' : 'it printed nothing yet')}
      </pre>
    </section>
  )
}
