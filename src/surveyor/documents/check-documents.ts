import type { CommandTool, DocumentFacts, Mention } from './document-facts.ts'
import { anchorKey } from './anchors.ts'
import { isChecked, isForContributors } from './classify-document.ts'
import { PathIndex } from './path-index.ts'
import { decoded } from './unknown-paths.ts'
import { commandsOf } from './project-commands.ts'
import type { KnownCommands, Project } from './project-commands.ts'
import { MemberIndex } from './member-index.ts'
import type { PastPath } from '../commit-history.ts'
import type { Survey } from '../survey.ts'

/** Something that a document names and that is not there. */
export interface Stale {
  document: string
  line: number
  /** As the document has it. */
  named: string
  kind: 'path' | 'link' | 'anchor' | 'symbol' | 'command'
  /** Of a path: the newest commit that names it. Of a command: the file that would define it. */
  past?: PastPath
  definedIn?: string
  /** Where it went, or what is nearest: paths, headings, symbols, commands. */
  now?: string[]
  how?: 'renamed' | 'of the same name'
}

const checks = new WeakMap<Survey, Stale[]>()

/** What the documents name that is no longer there, by document and line. Each survey is checked once. */
export function checkDocuments(survey: Survey): Stale[] {
  const found = checks.get(survey) ?? new Check(survey).all()
  checks.set(survey, found)
  return found
}

/** Documents whose claims are held against the repository, with what they hold. */
export const checkedDocuments = (survey: Survey): { path: string; document: DocumentFacts }[] =>
  survey.files.flatMap(({ path, facts: { document } }) =>
    document === undefined || document.aside === true || !isChecked(path) ? [] : [{ path, document }],
  )

class Check {
  readonly #survey: Survey
  readonly #paths: PathIndex
  readonly #members: MemberIndex
  readonly #project: Project
  readonly #commands = new Map<CommandTool, KnownCommands | undefined>()

  constructor(survey: Survey) {
    this.#survey = survey
    const paths = [
      ...survey.files.map(({ path }) => path),
      ...survey.leftOut.map(({ path }) => path),
      ...survey.untracked,
    ]
    this.#project = { paths, source: survey.source }
    this.#paths = new PathIndex(paths, survey.history?.past ?? {})
    this.#members = new MemberIndex(survey)
  }

  all(): Stale[] {
    return checkedDocuments(this.#survey).flatMap(({ path, document }) => {
      const claims = this.#withoutForeignPictures(path, document.mentions)
      const found = claims.flatMap((mention) => this.#check(path, mention) ?? [])
      // A link and its text may name one path: it is told once.
      const seen = new Set<string>()
      return found
        .toSorted((a, b) => a.line - b.line)
        .filter((stale) => {
          const key = `${stale.kind === 'link' ? 'path' : stale.kind} ${stale.named.replace(/^(?:\.\.?\/)+|\/$/g, '')}`
          return !seen.has(key) && seen.add(key) !== undefined
        })
    })
  }

  /** A picture of folders of which most are not there is of another place. */
  #withoutForeignPictures(document: string, mentions: readonly Mention[]): Mention[] {
    const pictureOf = (mention: Mention): number | undefined =>
      mention.kind === 'path' ? mention.picture : undefined
    const pictures = new Set(mentions.map(pictureOf))
    const foreign = [...pictures].filter((picture) => {
      const entries = mentions.filter((mention) => pictureOf(mention) === picture)
      const present = entries.filter(({ text }) => this.#paths.mayMean(document, text))
      return picture !== undefined && present.length * 2 < entries.length
    })
    return mentions.filter((mention) => !foreign.includes(pictureOf(mention)))
  }

  #check(document: string, mention: Mention): Stale | undefined {
    const { line, text, kind } = mention
    switch (kind) {
      case 'path':
        return this.#checkPath(document, mention)
      case 'file':
        return this.#checkFile(document, line, text)
      case 'link':
        return this.#checkLink(document, line, text)
      case 'command':
        return mention.own || isForContributors(document) ? this.#checkCommand(document, mention) : undefined
      case 'member': {
        const definedIn = this.#members.missing(mention.owner, mention.member)
        return definedIn === undefined
          ? undefined
          : { document, line, named: text, kind: 'symbol', definedIn }
      }
      case 'placed': {
        const now = this.#members.misplaced(mention.name, mention.file)
        return now === undefined
          ? undefined
          : {
              document,
              line,
              named: `${text} in ${mention.file}`,
              kind: 'symbol',
              now: [now],
              how: 'of the same name',
            }
      }
    }
  }

  #checkPath(document: string, { line, text, picture }: Mention & { kind: 'path' }): Stale | undefined {
    if (this.#paths.mayMean(document, text)) return undefined
    const written = picture === undefined ? text : this.#withoutRoot(text)
    for (const place of this.#paths.placesOf(document, written)) {
      const stale = this.#gone(place)
      if (stale !== undefined) return { document, line, named: written, kind: 'path', ...stale }
    }
    return undefined
  }

  #checkFile(document: string, line: number, text: string): Stale | undefined {
    const path = this.#paths.pastNamesake(text)
    const stale = path === undefined ? undefined : this.#gone(path)
    return stale === undefined ? undefined : { document, line, named: text, kind: 'path', ...stale }
  }

  /** A picture often begins with the name of the repository itself. */
  #withoutRoot(path: string): string {
    const [first = '', ...rest] = path.split('/')
    const isRoot = rest.length > 0 && !this.#paths.has(first) && this.#paths.pastOf(first) === undefined
    return isRoot ? rest.join('/') : path
  }

  /** Only what the history has seen is gone: anything else may be an example. */
  #gone(path: string): Pick<Stale, 'past' | 'now' | 'how'> | undefined {
    const past = this.#paths.pastOf(path)
    if (past === undefined || this.#survey.ignored.has(path)) return undefined
    if (past.to !== undefined) return { past, now: [past.to], how: 'renamed' }
    const now = past.isFolder === true ? [] : this.#paths.namesakes(path)
    return now.length === 0 ? { past } : { past, now, how: 'of the same name' }
  }

  #checkLink(document: string, line: number, text: string): Stale | undefined {
    const [written = '', anchor = ''] = decoded(text).split('#')
    const target = written.split('?')[0] ?? ''
    const start = target.startsWith('/') ? target.slice(1) : target
    const [nearest = document] =
      target === '' ? [document] : this.#paths.placesOf(target.startsWith('/') ? '' : document, start)
    if (target !== '' && !this.#paths.has(nearest)) {
      if (this.#isMadeBySite(document, nearest, target)) return undefined
      const stale = this.#gone(nearest)
      if (stale !== undefined) return { document, line, named: text, kind: 'link', ...stale }
      if (!isFileName(target) || target.startsWith('/') || this.#survey.ignored.has(nearest)) return undefined
      const now = this.#paths.namesakes(nearest)
      return {
        document,
        line,
        named: text,
        kind: 'link',
        ...(now.length === 0 ? {} : { now, how: 'of the same name' }),
      }
    }
    return anchor === '' ? undefined : this.#checkAnchor(document, line, text, nearest, anchor)
  }

  /** Sites make pages of documents and leave out their extension, or begin at a folder of their own. */
  #isMadeBySite(document: string, nearest: string, target: string): boolean {
    return (
      ['.md', '.mdx', '.markdown', '/index.md', '/README.md', '/index.mdx'].some((end) =>
        [nearest, nearest.replace(/\.html?$/, '')].some((page) => this.#paths.has(page + end)),
      ) ||
      (target.startsWith('/') && this.#paths.mayMean(document, target.slice(1)))
    )
  }

  #checkAnchor(
    document: string,
    line: number,
    text: string,
    target: string,
    anchor: string,
  ): Stale | undefined {
    const anchors = this.#survey.byPath.get(target)?.facts.document?.anchors
    const key = anchorKey(anchor.replace(/^user-content-/, ''))
    if (
      anchors === undefined ||
      !/\.(?:md|markdown)$/i.test(target) ||
      /^(?:L\d+.*|top|readme|:~:.*)$/i.test(anchor)
    )
      return undefined
    // A second heading of one name gets a number.
    const first = anchorKey(anchor.replace(/[-_]\d+$/, ''))
    if (key === '' || anchors.includes(key) || anchors.includes(first)) return undefined
    const now = this.#headingsLike(target, key)
    return { document, line, named: text, kind: 'anchor', ...(now.length === 0 ? {} : { now }) }
  }

  /** The heading that an anchor was made of and that was changed since: one begins with the other. */
  #headingsLike(target: string, key: string): string[] {
    const headings = this.#survey.byPath.get(target)?.facts.headings ?? []
    const found = headings.filter((heading) => {
      const other = anchorKey(heading)
      return Math.min(other.length, key.length) > 4 && (other.startsWith(key) || key.startsWith(other))
    })
    return found.length === 1 ? found : []
  }

  #checkCommand(document: string, mention: Mention & { kind: 'command' }): Stale | undefined {
    const known = this.#commands.get(mention.tool) ?? commandsOf(this.#project, mention.tool)
    this.#commands.set(mention.tool, known)
    if (known === undefined || known.names.has(mention.name)) return undefined
    const near = [...known.names].filter((name) => isNear(name, mention.name)).toSorted()
    const [definedIn = ''] = known.files
    return {
      document,
      line: mention.line,
      named: mention.text,
      kind: 'command',
      definedIn,
      ...(near.length === 0 ? {} : { now: near.slice(0, 3) }),
    }
  }
}

const isFileName = (target: string): boolean =>
  /[^/]\.[A-Za-z][A-Za-z0-9]{0,8}$/.test(target) && !/\.html?$/.test(target)

/** Whether two names of commands share a word. */
const isNear = (name: string, other: string): boolean => {
  const words = new Set(other.split(/[^A-Za-z0-9]+/).filter((word) => word.length > 2))
  return name.split(/[^A-Za-z0-9]+/).some((word) => words.has(word))
}
