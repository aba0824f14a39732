/** `name:password@host`, a URL whose scheme was forgotten: to a parser the name is the scheme. */
const withoutScheme = /^([^\s:/?#@]+):[^\s/]*@([^\s@]+)$/

/**
 * A text that may be a URL, as it may be shown: without the password in it. One that has a name and no password
 * has a token in the name's place.
 */
export function withoutPassword(text: string): string {
  const [, name, rest] = withoutScheme.exec(text) ?? []
  if (rest !== undefined) return `${name}:***@${rest}`
  if (!URL.canParse(text)) return text
  const url = new URL(text)
  if (url.password !== '') url.password = '***'
  else if (url.username !== '') url.username = '***'
  else return text
  return url.href
}
