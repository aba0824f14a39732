import type { ShownChanges } from '../shown.ts'
import { h, type Shown } from './dom.ts'
import { lastOf } from './last-of.ts'
import { model, type Detail } from './page-model.ts'
import { clock, counted, exact } from './figures-in-words.ts'
import { filesOf, type ChangedFile } from './patch-files.ts'

/** More lines than this begin closed: the list of files comes first. */
const mostOpenLines = 1500

/** The branch of a team, its commits and what they change together. */
export function changesPanel({ changes }: Detail): Shown {
  if (changes === undefined) return h('p', { class: 'empty' }, '')
  if (changes === null) return h('p', { class: 'empty' }, 'git knows no branch of this team')
  if ('fault' in changes) return h('p', { class: 'empty' }, changes.fault)
  return listed(changes, model.moment !== undefined, new Date().toDateString())
}

const listed = lastOf((changes: ShownChanges, isPast: boolean, _day: string) => {
  const { branch, target, head, base, commits, hasMore, patch, isPatchWhole } = changes
  const files = filesOf(patch)
  const lines = files.reduce((sum, { added, removed }) => sum + added + removed, 0)
  return h(
    'article',
    { class: 'changes' },
    h(
      'p',
      { class: 'branch' },
      h('code', { id: 'branch' }, branch),
      h(
        'span',
        { class: 'muted' },
        commits.length === 0
          ? `no commits yet; it is to be merged into ${target}`
          : `${commits.length}${hasMore ? ' and more' : ''} ${commits.length === 1 ? 'commit' : 'commits'} since ${base.slice(0, 8)}, to be merged into ${target}`,
      ),
    ),
    isPast
      ? h('p', { class: 'empty' }, 'This is how the branch is now, not at the moment that is shown')
      : null,
    h(
      'ol',
      { class: 'commits' },
      commits.map(({ id, subject, author, at }) =>
        h(
          'li',
          { key: id },
          h('code', { title: id }, id.slice(0, 8)),
          h('span', { class: 'subject', dir: 'auto' }, subject),
          h('span', { class: 'by' }, h('bdi', {}, author), ' ', h('time', { title: exact(at) }, clock(at))),
        ),
      ),
    ),
    files.length === 0
      ? null
      : h(
          'h3',
          {},
          `${counted(files.length, 'file')} changed `,
          figures(files.reduce(sum, { added: 0, removed: 0 })),
        ),
    files.map((file) => fileShown(file, `${base}..${head}`, lines <= mostOpenLines)),
    isPatchWhole
      ? null
      : h(
          'p',
          { class: 'empty' },
          'The rest is too long to be shown: ',
          h('code', {}, `git diff ${base.slice(0, 12)} ${head.slice(0, 12)}`),
        ),
  )
})

const sum = (a: Pick<ChangedFile, 'added' | 'removed'>, b: Pick<ChangedFile, 'added' | 'removed'>) => ({
  added: a.added + b.added,
  removed: a.removed + b.removed,
})

function figures({ added, removed }: Pick<ChangedFile, 'added' | 'removed'>): Shown {
  return h(
    'span',
    { class: 'figures-of-lines' },
    h('span', { class: 'good' }, `+${added}`),
    ' ',
    h('span', { class: 'bad' }, `−${removed}`),
  )
}

function fileShown(file: ChangedFile, range: string, isOpen: boolean): Shown {
  return h(
    'details',
    { class: 'changed-file', key: `${range} ${file.name}`, open: isOpen },
    h('summary', {}, h('code', {}, file.name), figures(file)),
    h(
      'pre',
      { class: 'patch' },
      file.runs.map(({ kind, text }) => h('span', { class: kind }, text)),
    ),
  )
}
