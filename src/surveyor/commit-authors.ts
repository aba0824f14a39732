/** A commit's author as git names them after the mailmap. */
export interface Author {
  name: string
  email: string
}

/** Programs that commit under a name of their own; `[bot]` is how GitHub marks them. */
const BOT =
  /\[bot\]|(?:^|[\s._-])bot$|^(?:bot|dependabot|renovate|greenkeeper|github[ -]actions?|semantic-release|snyk|imgbot|allcontributors|mergify|pre-commit(?:[ -]ci)?|copybara[\w-]*)\b/i

/** Names that say nothing of who it is: two who use one may be two people, as with any name of one word. */
const NO_NAME = /^(?:|root|user|admin|ubuntu|unknown|nobody|your name|name|me|test|anonymous|dev|developer)$/i

const isBot = ({ name, email }: Author): boolean =>
  BOT.test(name) || BOT.test(email.split('@')[0] ?? '') || /\[bot\]@/.test(email)

/**
 * Says which person each author is: whoever shares an address or a full name is one person. Programs are none.
 */
export function peopleOf(authors: Iterable<Author>): (author: Author) => string | undefined {
  const parent = new Map<string, string>()
  const top = (key: string): string => {
    let at = key
    for (let next = parent.get(at); next !== undefined && next !== at; next = parent.get(at)) at = next
    return at
  }
  const addressOf = ({ email }: Author): string => `<${email.trim().toLowerCase()}>`
  const nameOf = ({ name }: Author): string => name.trim().replace(/\s+/g, ' ').toLowerCase()
  for (const author of authors) {
    if (isBot(author)) continue
    const address = top(addressOf(author))
    parent.set(address, address)
    if (NO_NAME.test(nameOf(author)) || !nameOf(author).includes(' ')) continue
    const name = top(nameOf(author))
    parent.set(name, address)
  }
  return (author) => (isBot(author) ? undefined : top(addressOf(author)))
}
