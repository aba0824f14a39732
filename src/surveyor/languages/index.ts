import { posix } from 'node:path'
import { astro, svelte, vue } from './components.ts'
import { cpp } from './cpp.ts'
import { csharp } from './csharp.ts'
import { javascript, typescript } from './ecmascript.ts'
import { go } from './go.ts'
import { java } from './java.ts'
import type { Language } from './language.ts'
import { php } from './php.ts'
import { python } from './python.ts'
import { ruby } from './ruby.ts'
import { rust } from './rust.ts'

/** The languages that are parsed. */
const LANGUAGES: readonly Language[] = [
  typescript,
  javascript,
  vue,
  svelte,
  astro,
  python,
  go,
  rust,
  java,
  csharp,
  cpp,
  ruby,
  php,
]

const BY_EXTENSION = new Map(
  LANGUAGES.flatMap((language) => language.extensions.map((extension) => [extension, language] as const)),
)
const BY_NAME: Record<string, Language> = { Rakefile: ruby, Gemfile: ruby, Jakefile: javascript }

/** The language that parses a file, by its name; a `#!` line decides only where the name says nothing. */
export function languageOf(path: string, shebang?: string): Language | undefined {
  const known = BY_EXTENSION.get(posix.extname(path).toLowerCase()) ?? BY_NAME[posix.basename(path)]
  if (known !== undefined || shebang === undefined) return known
  return LANGUAGES.find(({ interpreters }) => interpreters?.includes(shebang) === true)
}

const OTHERS: Record<string, string> = {
  '.md': 'Markdown',
  '.mdx': 'Markdown',
  '.markdown': 'Markdown',
  '.rst': 'reStructuredText',
  '.adoc': 'AsciiDoc',
  '.txt': 'Text',
  '.json': 'JSON',
  '.jsonc': 'JSON',
  '.json5': 'JSON',
  '.ndjson': 'JSON',
  '.yml': 'YAML',
  '.yaml': 'YAML',
  '.toml': 'TOML',
  '.xml': 'XML',
  '.ini': 'INI',
  '.cfg': 'INI',
  '.html': 'HTML',
  '.htm': 'HTML',
  '.css': 'CSS',
  '.scss': 'SCSS',
  '.sass': 'Sass',
  '.less': 'Less',
  '.svg': 'SVG',
  '.sh': 'Shell',
  '.bash': 'Shell',
  '.zsh': 'Shell',
  '.fish': 'Shell',
  '.ps1': 'PowerShell',
  '.bat': 'Batch',
  '.cmd': 'Batch',
  '.sql': 'SQL',
  '.graphql': 'GraphQL',
  '.proto': 'Protocol Buffers',
  '.tf': 'Terraform',
  '.csv': 'CSV',
  '.tsv': 'CSV',
  '.tex': 'TeX',
  '.ipynb': 'Jupyter Notebook',
  '.swift': 'Swift',
  '.kt': 'Kotlin',
  '.kts': 'Kotlin',
  '.scala': 'Scala',
  '.groovy': 'Groovy',
  '.gradle': 'Gradle',
  '.dart': 'Dart',
  '.lua': 'Lua',
  '.pl': 'Perl',
  '.pm': 'Perl',
  '.r': 'R',
  '.ex': 'Elixir',
  '.exs': 'Elixir',
  '.erl': 'Erlang',
  '.hs': 'Haskell',
  '.clj': 'Clojure',
  '.ml': 'OCaml',
  '.fs': 'F#',
  '.vb': 'Visual Basic',
  '.zig': 'Zig',
  '.nim': 'Nim',
  '.jl': 'Julia',
  '.m': 'Objective-C',
  '.mm': 'Objective-C',
  '.asm': 'Assembly',
  '.s': 'Assembly',
  '.cmake': 'CMake',
  '.mk': 'Make',
  '.csproj': 'MSBuild',
  '.props': 'MSBuild',
  '.targets': 'MSBuild',
  '.sln': 'MSBuild',
  '.erb': 'Templates',
  '.haml': 'Templates',
  '.slim': 'Templates',
  '.ejs': 'Templates',
  '.hbs': 'Templates',
  '.j2': 'Templates',
  '.jinja': 'Templates',
  '.twig': 'Templates',
}
const OTHER_NAMES: Record<string, string> = {
  Makefile: 'Make',
  Dockerfile: 'Dockerfile',
  'CMakeLists.txt': 'CMake',
  'go.mod': 'Go module',
  Jenkinsfile: 'Groovy',
}

/** What people call the language of a file; `Other` where the name does not say. */
export function languageNameOf(path: string, shebang?: string): string {
  const language = languageOf(path, shebang)
  if (language === cpp) return path.endsWith('.c') ? 'C' : /\.h$/.test(path) ? 'C/C++ header' : 'C++'
  if (language !== undefined) return language.name
  if (shebang !== undefined && /^(ba|z|da|k)?sh$/.test(shebang)) return 'Shell'
  return OTHER_NAMES[posix.basename(path)] ?? OTHERS[posix.extname(path).toLowerCase()] ?? 'Other'
}
