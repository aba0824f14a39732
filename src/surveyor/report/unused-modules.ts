import { posix } from 'node:path'
import type { Analysis } from '../analysis.ts'
import type { Survey } from '../survey.ts'
import type { SurveyedFile } from '../surveyed-file.ts'

/** Files by which tools are told what to run, build and load, and those whose own imports are not parsed. */
const TELLS_TOOLS =
  /\.(?:json[c5]?|ya?ml|toml|cfg|ini|conf|properties|sh|bash|zsh|ps1|bat|cmd|mk|just|gradle|kts|cmake|xml|html?|vue|svelte|astro|ejs|hbs|njk|jinja2?|pug|csproj|nix|bzl|tf|env)$|(?:^|\/)(?:[\w.-]*(?:[Mm]akefile|Dockerfile|Containerfile|Procfile|Jenkinsfile|Vagrantfile|Rakefile|Gemfile|[Jj]ustfile|Tiltfile|BUILD|WORKSPACE)[\w.-]*|\.[\w-]+rc|CODEOWNERS)$|\.config(?:\.\w+)?\.[cm]?[jt]s$|(?:^|\/)(?:\.[^/]+|bin|scripts?|tools?)\/[^/]+$/

/** Modules that tools find by name, and those that others enter by. */
const FOUND_BY_NAME =
  /^(?:index|main|mod|__init__|__main__|cli|setup|manage|wsgi|asgi|app|server|conftest|noxfile|tasks)$|[._-](?:config|setup|d|stories|story|worker)$|config|^_/
const FOUND_BY_FOLDER =
  /(?:^|\/)(?:\.[^/]+|bin|scripts?|tools?|pages|app|routes|api|migrations|versions|plugins|public|static|assets|docs?|website|site|commands|hooks|workers|management|templatetags|stories|functions|lambdas?|handlers|middleware|locales?|types|typings|@types)\//

/** Beyond this share of a project, it is the imports that could not be followed. */
const MOST_SHARE = 0.15

/** Modules that nothing imports, starts or names: no code, no manifest, no build file, no configuration. */
export function unusedModules(survey: Survey, analysis: Analysis): string[] {
  const quiet = analysis.sources.filter((file) => isQuiet(survey, file))
  if (quiet.length === 0 || quiet.length > Math.max(3, analysis.sources.length * MOST_SHARE)) return []
  const told = survey.files
    .filter(({ path, role }) => role !== 'documentation' && TELLS_TOOLS.test(path))
    .map(({ path }) => survey.source(path))
    .join('\n')
  return quiet
    .filter(({ path }) => !isNamedFor(path, told) && !isNamedInText(survey, path))
    .map(({ path }) => path)
}

const stemOf = (path: string): string => posix.basename(path).replace(/\.[^.]+$/, '')

function isQuiet(survey: Survey, { path, language, facts }: SurveyedFile): boolean {
  // A Python package without a manifest is a library: its modules wait for others to import them.
  if (language?.id === 'python' && survey.manifests.length === 0) return false
  return (
    ['typescript', 'javascript', 'python'].includes(language?.id ?? '') &&
    path.includes('/') &&
    !FOUND_BY_NAME.test(stemOf(path)) &&
    !FOUND_BY_FOLDER.test(path) &&
    (survey.graph.dependents.get(path)?.length ?? 0) === 0 &&
    facts.code?.entry === undefined &&
    facts.code?.symbols.some(({ exported }) => exported) === true
  )
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Whether build files or configuration name a module, or all of its folder. */
function isNamedFor(path: string, told: string): boolean {
  const folder = escaped(posix.dirname(path))
  return (
    new RegExp(`(?<![\\w-])${escaped(stemOf(path))}(?![\\w-])`).test(told) ||
    (folder.includes('/') && new RegExp(`(?<![\\w-])${folder}(?:/\\*|/?["'\`\\s])`).test(told))
  )
}

/** Whether code or a document with imports of its own names a module in a text: a worker, a plugin, a component. */
const isNamedInText = (survey: Survey, path: string): boolean =>
  isNamedIn(
    survey,
    path,
    survey.files.filter((file) => file.facts.code !== undefined || file.role === 'documentation'),
  )

/** Whether one of the files has a quoted path that ends with a module's name. */
function isNamedIn(survey: Survey, path: string, files: readonly SurveyedFile[]): boolean {
  const name = new RegExp(`["'\`](?:[^"'\`\n]*[/.])?${escaped(stemOf(path))}(?:\\.[cm]?[jt]sx?|\\.py)?["'\`]`)
  return files.some((file) => file.path !== path && name.test(survey.source(file.path)))
}

/** The modules that no test names in a quoted path, where that is how a language imports. */
export function withoutNamedInTests<T extends { file: SurveyedFile }>(
  survey: Survey,
  spots: readonly T[],
  tests: readonly SurveyedFile[],
): T[] {
  const isQuoted = ({ file }: T): boolean => ['typescript', 'javascript'].includes(file.language?.id ?? '')
  return spots.filter((spot) => !isQuoted(spot) || !isNamedIn(survey, spot.file.path, tests))
}

/** Whether any file but a manifest or a document names a package as code does: in quotes, or before `::`. */
export function isNamedPackage(survey: Survey, name: string, declaredIn: readonly string[]): boolean {
  const plain = escaped(name)
  const mention = new RegExp(
    `["'\`]${plain}(?:/[^"'\`\\n]*)?["'\`]|\\b${escaped(name.replaceAll('-', '_'))}::|^\\s*-\\s*${plain}\\b`,
    'm',
  )
  return survey.files.some(
    ({ path, role }) =>
      !declaredIn.includes(path) && role !== 'documentation' && mention.test(survey.source(path)),
  )
}
