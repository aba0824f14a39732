import { gitOrNothing } from '../git/git.ts'

/**
 * What a private repository takes of the configuration: who commits, how files are written and compared, where remotes
 * are and what follows them. Nothing of it names a program, another file, or a secret.
 */
const seen = new RegExp(
  [
    'user\\.(?:name|email)',
    'core\\.(?:filemode|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|quotepath|longpaths)',
    'core\\.(?:sparsecheckout|sparsecheckoutcone|logallrefupdates|abbrev)',
    'i18n\\.commitencoding',
    'init\\.defaultbranch',
    'pull\\.(?:rebase|ff)',
    'push\\.default',
    'merge\\.conflictstyle',
    'remote\\..+\\.(?:url|fetch|tagopt)',
    'branch\\..+\\.(?:remote|merge|rebase)',
  ]
    .map((key) => `^${key}$`)
    .join('|'),
)

export type Settings = readonly (readonly [key: string, value: string])[]

/** All that git takes for its configuration in a work tree, whoever wrote it, in its order. */
export function settingsIn(workTree: string): Settings {
  const list = gitOrNothing(workTree, 'config', '--list', '--includes', '-z') ?? ''
  return list.split('\0').flatMap((entry) => {
    const cut = entry.indexOf('\n')
    if (entry === '') return []
    return [cut < 0 ? ([entry, 'true'] as const) : ([entry.slice(0, cut), entry.slice(cut + 1)] as const)]
  })
}

/** A configuration as text that is safe to be seen: what `seen` lets through, of remotes no name or password. */
export function seenConfig(settings: Settings, objectFormat: string): string {
  const isPlain = objectFormat === 'sha1'
  const own: Settings = [
    ['core.repositoryformatversion', isPlain ? '0' : '1'],
    ['core.bare', 'false'],
    ...(isPlain ? [] : [['extensions.objectformat', objectFormat] as const]),
  ]
  const shown = settings.filter(([key]) => seen.test(key))
  return [...shown, ...own].map(([key, value]) => lineOf(key, withoutSecret(key, value))).join('')
}

/** Its address without whom to log in as, but for ssh, where that is no secret and the address needs it. */
function withoutSecret(key: string, value: string): string {
  if (!key.startsWith('remote.') || !key.endsWith('.url')) return value
  const [, scheme = '', who = '', rest = ''] = /^([a-z+]+:\/\/)([^/]*@)?(.*)$/is.exec(value) ?? []
  if (scheme === '') return value
  return `${scheme}${/ssh/i.test(scheme) ? who.replace(/:[^@]*@/, '@') : ''}${rest}`
}

function lineOf(key: string, value: string): string {
  const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')]
  const section = key.slice(0, first)
  const below = first === last ? '' : ` ${quoted(key.slice(first + 1, last))}`
  return `[${section}${below}]\n\t${key.slice(last + 1)} = ${quoted(value)}\n`
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}"`
}
