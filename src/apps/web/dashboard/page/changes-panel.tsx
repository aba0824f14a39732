import { counted } from '../../../../errors/printable.ts'
import type { ShownChanges } from '../shown.ts'
import type { VNode } from 'preact'
import { lastOf } from './last-of.ts'
import { model, type Detail } from './page-model.ts'
import { clock, exact } from './figures-in-words.ts'
import { filesOf, type ChangedFile } from './patch-files.ts'

/** More lines than this begin closed: the list of files comes first. */
const mostOpenLines = 1500

/** The branch of a team, its commits and what they change together. */
export function changesPanel({ changes }: Detail): VNode {
  if (changes === undefined) return <p class="empty" />
  if (changes === null) return <p class="empty">git knows no branch of this team</p>
  if ('fault' in changes) return <p class="empty">{changes.fault}</p>
  return listed(changes, model.moment !== undefined, new Date().toDateString())
}

const listed = lastOf((changes: ShownChanges, isPast: boolean, _day: string) => {
  const { branch, target, head, base, commits, hasMore, patch, isPatchWhole } = changes
  const files = filesOf(patch)
  const lines = files.reduce((sum, { added, removed }) => sum + added + removed, 0)
  return (
    <article class="changes">
      <p class="branch">
        <code id="branch">{branch}</code>
        <span class="muted">
          {commits.length === 0
            ? `no commits yet; it is to be merged into ${target}`
            : `${commits.length}${hasMore ? ' and more' : ''} ${commits.length === 1 ? 'commit' : 'commits'} since ${base.slice(0, 8)}, to be merged into ${target}`}
        </span>
      </p>
      {isPast && <p class="empty">This is how the branch is now, not at the moment that is shown</p>}
      <ol class="commits">
        {commits.map(({ id, subject, author, at }) => (
          <li key={id}>
            <code title={id}>{id.slice(0, 8)}</code>
            <span class="subject" dir="auto">
              {subject}
            </span>
            <span class="by">
              <bdi>{author}</bdi> <time title={exact(at)}>{clock(at)}</time>
            </span>
          </li>
        ))}
      </ol>
      {files.length !== 0 && (
        <h3>
          {counted(files.length, 'file')} changed {figures(files.reduce(sum, { added: 0, removed: 0 }))}
        </h3>
      )}
      {files.map((file) => fileShown(file, `${base}..${head}`, lines <= mostOpenLines))}
      {!isPatchWhole && (
        <p class="empty">
          The rest is too long to be shown:{' '}
          <code>
            git diff {base.slice(0, 12)} {head.slice(0, 12)}
          </code>
        </p>
      )}
    </article>
  )
})

const sum = (a: Pick<ChangedFile, 'added' | 'removed'>, b: Pick<ChangedFile, 'added' | 'removed'>) => ({
  added: a.added + b.added,
  removed: a.removed + b.removed,
})

function figures({ added, removed }: Pick<ChangedFile, 'added' | 'removed'>): VNode {
  return (
    <span class="figures-of-lines">
      <span class="good">+{added}</span> <span class="bad">−{removed}</span>
    </span>
  )
}

function fileShown(file: ChangedFile, range: string, isOpen: boolean): VNode {
  return (
    <details class="changed-file" key={`${range} ${file.name}`} open={isOpen}>
      <summary>
        <code>{file.name}</code>
        {figures(file)}
      </summary>
      <pre class="patch">
        {file.runs.map(({ kind, text }) => (
          <span class={kind}>{text}</span>
        ))}
      </pre>
    </details>
  )
}
