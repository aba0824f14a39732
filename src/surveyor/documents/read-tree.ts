/**
 * The paths of a picture of folders drawn with `├──`, each with its line from 0. A first line of its own is the
 * folder that holds the rest.
 */
export function readTree(picture: string): { path: string; line: number }[] {
  const found: { path: string; line: number }[] = []
  const above: { depth: number; name: string }[] = []
  for (const [line, row] of picture.split('\n').entries()) {
    const [, lead, text] = /^([\s│|]*(?:[├└][─-]*\s*))(.+)$/.exec(row) ?? []
    const [, name, rest] = /^([\w.@+-]+(?:\/[\w.@+-]+)*\/?)(\s.*)?$/.exec((text ?? row).trimEnd()) ?? []
    const depth = lead?.length ?? 0
    while ((above.at(-1)?.depth ?? -1) >= depth) above.pop()
    if (name === undefined) {
      // What stands below a name that cannot be read is nowhere.
      if (lead !== undefined) above.push({ depth, name: '*' })
      continue
    }
    if (lead === undefined && /\S/.test(rest ?? '') && !/^\s*(?:#|←|-|\(|\/\/)/.test(rest ?? '')) continue
    above.push({ depth, name: name.replace(/\/$/, '') })
    const path = above.map((one) => one.name).join('/')
    if (lead !== undefined && !path.includes('*'))
      found.push({ path: name.endsWith('/') ? `${path}/` : path, line })
  }
  return found
}
