// Proves that the page takes a patch apart as git wrote it: names, figures and lines of each file, whatever stands in
// them. It fails when a line of a file is taken for what git says of it, or a file that is not text is left out.
import { expect, test } from 'vitest'
import { filesOf } from '../../src/apps/web/dashboard/page/patch-files.ts'

const patch = `diff --git a/README.md b/README.md
index 3b18e51..e019be0 100644
--- a/README.md
+++ b/README.md
@@ -1,3 +1,3 @@ # Shop
 # Shop
--- an old rule
+++ a new one
+diff --git a/x b/x
\\ No newline at end of file
diff --git a/old name.ts b/new name.ts
similarity index 100%
rename from old name.ts
rename to new name.ts
diff --git a/logo.png b/logo.png
new file mode 100644
index 0000000..ed5b0d8
Binary files /dev/null and b/logo.png differ
diff --git a/gone.ts b/gone.ts
deleted file mode 100644
index e69de29..0000000
--- a/gone.ts	
+++ /dev/null
@@ -1 +0,0 @@
-export {}
`

test('each file has its name, its figures and its lines', () => {
  const files = filesOf(patch)
  expect(files.map(({ name, added, removed }) => [name, added, removed])).toEqual([
    ['README.md', 2, 1],
    ['new name.ts', 0, 0],
    ['logo.png', 0, 0],
    ['gone.ts', 0, 1],
  ])
  expect(files[0]?.runs).toEqual([
    { kind: 'hunk', text: '@@ -1,3 +1,3 @@ # Shop' },
    { kind: 'same', text: ' # Shop' },
    { kind: 'removed', text: '--- an old rule' },
    { kind: 'added', text: '+++ a new one\n+diff --git a/x b/x' },
    { kind: 'same', text: '\\ No newline at end of file' },
  ])
  expect(files[2]?.runs).toEqual([
    { kind: 'hunk', text: '@@ new file mode 100644\n@@ Binary files /dev/null and b/logo.png differ' },
  ])
})

test('a line of a file ends where git ends it', () => {
  for (const sign of ['\r', '\u2028', '\u2029']) {
    const line = `+// x${sign}diff --git a/README.md b/README.md`
    const files = filesOf(
      `diff --git a/x.ts b/x.ts\n--- a/x.ts\n+++ b/x.ts\n@@ -0,0 +1,2 @@\n${line}\n+hidden()\n`,
    )
    expect(files.map(({ name, added }) => [name, added])).toEqual([['x.ts', 2]])
    expect(files[0]?.runs[1]?.text).toBe(`${line}\n+hidden()`)
  }
})

test('of no patch there are no files', () => {
  expect(filesOf('')).toEqual([])
})
