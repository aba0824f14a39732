/** What a patch changes in one file. */
export interface ChangedFile {
  readonly name: string
  readonly added: number
  readonly removed: number
  /** Lines of one kind that follow each other. */
  readonly runs: readonly { readonly kind: string; readonly text: string }[]
}

/** A patch by its files. */
export function filesOf(patch: string): ChangedFile[] {
  return patch
    .split(/(?<=^|\n)(?=diff --git )/)
    .filter((part) => part.startsWith('diff --git '))
    .map((part) => {
      const lines = part.replace(/\n$/, '').split('\n')
      const begin = lines.findIndex((line) => line.startsWith('@@'))
      const head = begin < 0 ? lines : lines.slice(0, begin)
      const body = begin < 0 ? [] : lines.slice(begin)
      return {
        name: nameIn(head),
        added: body.filter((line) => line.startsWith('+')).length,
        removed: body.filter((line) => line.startsWith('-')).length,
        runs: runsOf([...notesIn(head).map((line) => `@@ ${line}`), ...body]),
      }
    })
}

/** As the last of the lines that name it says it; what git quotes stays quoted. */
function nameIn(head: readonly string[]): string {
  const named = (start: string) =>
    head
      .find((line) => line.startsWith(start))
      ?.slice(start.length)
      .replace(/\t$/, '')
  const [from, to] = [named('--- a/'), named('+++ b/')]
  return (
    named('rename to ') ??
    to ??
    from ??
    head[0]
      ?.replace(/^diff --git (?:a\/)?/, '')
      .split(' b/')
      .at(-1) ??
    ''
  )
}

/** What is said of a file beside its lines. */
function notesIn(head: readonly string[]): string[] {
  return head.filter((line) => /^(?:new file|deleted file|old mode|new mode|rename|copy|Binary)/.test(line))
}

const kinds: Readonly<Record<string, string>> = { '+': 'added', '-': 'removed', '@': 'hunk' }

function runsOf(lines: readonly string[]): { kind: string; text: string }[] {
  const runs: { kind: string; text: string }[] = []
  for (const line of lines) {
    const kind = kinds[line[0] ?? ''] ?? 'same'
    const last = runs.at(-1)
    if (last?.kind === kind) last.text += `\n${line}`
    else runs.push({ kind, text: line })
  }
  return runs
}
