// Single-file components: markup around scripts. Only the scripts are read, each at its own place in the file.
import { createEcmascriptResolver } from './ecmascript-resolver.ts'
import { typescript } from './ecmascript.ts'
import type { Language } from './language.ts'

const SCRIPT = /<script\b((?:[^>"']|"[^"]*"|'[^']*')*)>([\s\S]*?)<\/script\s*>/gi
const COMMENT = /<!--[\s\S]*?-->/g
const FRONTMATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)^---[ \t]*$/m

const blank = (text: string): string => text.replace(/[^\r\n]/g, ' ')

/** A script that holds data or a template is no code. */
const isCode = (attributes: string): boolean => {
  const type = /\btype\s*=\s*["']?([\w/+.-]+)/i.exec(attributes)?.[1]
  return type === undefined || /^(module|(text|application)\/(java|ecma|type)script)$/i.test(type)
}

/** Blanks everything but code: each character that stays is where it was. */
function scriptsAlone(source: string, hasFrontmatter: boolean): string {
  const front = hasFrontmatter && /^\uFEFF?---/.test(source) ? FRONTMATTER.exec(source) : null
  const start = front === null ? 0 : front[0].length
  const body = source.slice(start).replace(COMMENT, blank)
  let code = front === null ? '' : front[0].replace(/^\uFEFF?---|---[ \t]*$/g, blank)
  let at = 0
  for (const match of body.matchAll(SCRIPT)) {
    const [whole, attributes = '', script = ''] = match
    if (!isCode(attributes)) continue
    const from = match.index + whole.indexOf('>', '<script'.length + attributes.length) + 1
    code += blank(body.slice(at, from)) + script
    at = from + script.length
  }
  return code + blank(body.slice(at))
}

const component = (id: string, name: string, hasFrontmatter = false): Language => ({
  id,
  name,
  fence: id,
  extensions: [`.${id}`],
  grammar: () => 'typescript',
  prepare: (source) => scriptsAlone(source, hasFrontmatter),
  extract: typescript.extract,
  createResolver: createEcmascriptResolver,
})

/** Components of Vue. */
export const vue = component('vue', 'Vue')

/** Components of Svelte. */
export const svelte = component('svelte', 'Svelte')

/** Pages and components of Astro, whose server code stands between `---` at the top. */
export const astro = component('astro', 'Astro', true)
