// Proves that Go is read without the bodies of its functions and that nothing is missed by it; fails when a brace in a
// text, a type or a broken file is taken for a body's.
import { expect, test } from 'vitest'
import { go } from '../../src/surveyor/languages/go.ts'
import { namesInGo, withoutBodies } from '../../src/surveyor/languages/go-text.ts'
import { SourceParser } from '../../src/surveyor/languages/grammars.ts'

const tricky = `// Package shop sells.
package shop

import "fmt"

// Order is one.
type Order struct {
	Name string \`json:"name}"\`
}

var template = \`
func notOne() {
	}}}
\`

// Open begins.
func Open(name string, with interface{ Close() }) (o struct{ A int }, err error) {
	if name == "}" || name[0] == '{' || name[0] == '\\'' { // }
		return o, fmt.Errorf("no {%s", name) /* } */
	}
	return
}

func outside(x int) int

var table = []func() int{func() int { return 1 }}

func Any() interface{} { return map[string]struct{}{} }

func (o *Order) Keep() map[string]interface {
	Close()
} {
	type inner struct{ deep int }
	return nil
}

func Pick[T interface{ ~int | ~string }](all []T) [2]struct{} {
	return [2]struct{}{}
}

const Last = '}'
`

test('a file says the same with and without its bodies', async () => {
  const parser = await SourceParser.start()
  await parser.load(go, 'shop.go')
  const { prepare: _, ...whole } = go
  const facts = parser.parse(go, 'shop.go', tricky)
  expect(facts).toEqual(parser.parse(whole, 'shop.go', tricky))
  expect(facts.symbols.map(({ name }) => name)).toEqual([
    ...['Order', 'template', 'Open', 'outside', 'table', 'Any', 'Keep', 'Pick', 'Last'],
  ])
})

test('only bodies go, and every line stays in its place', () => {
  const read = withoutBodies(tricky)
  expect(read.split('\n')).toHaveLength(tricky.split('\n').length)
  for (const gone of ['Errorf', 'inner', 'return nil', 'map[string]struct{}{}'])
    expect(read).not.toContain(gone)
  for (const kept of ['func notOne() {', 'interface{ Close() }', 'return 1', 'Name string'])
    expect(read).toContain(kept)
})

test.each([
  ['a brace too many', 'package a\n\nfunc a() { } }\n\nfunc b() { c() }\n'],
  ['a brace too few', 'package a\n\nfunc a() {\n\nfunc b() { c() }\n'],
  ['a text without an end', 'package a\n\nfunc b() { c() }\n\nvar x = []string{`\n'],
])('a file with %s is read as it stands', (_, text) => expect(withoutBodies(text)).toBe(text))

test('names are found in bodies, and none in comments, texts and runes', () => {
  expect(namesInGo(tricky)).toEqual(
    expect.arrayContaining(['fmt.Errorf', 'Open', 'Close', 'Order', 'Any', 'Keep']),
  )
  expect(
    namesInGo('// Said\n/* Of */ "In.Text" `Raw` \'A\' left.Right(storeAt) plain call(x) a.b.c fooBar.Baz'),
  ).toEqual(['a.b', 'call', 'fooBar', 'left.Right', 'storeAt'])
})
