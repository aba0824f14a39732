// Proves that a call is told only where it is one: not in a string or a comment, not of a variable or a parameter of that
// name, not of a library's function or another object's method. Fails when a name alone makes a call, or when a true one is
// left out.
import { expect, test } from 'vitest'
import { focusOn } from '../../../src/surveyor/focus.ts'
import { answerQuestion } from '../../../src/surveyor/answer-question.ts'
import { readMission } from '../../../src/surveyor/read-mission.ts'
import { wayOf } from '../../../src/surveyor/report/answer-way.ts'
import { survey } from '../../../src/surveyor/survey.ts'
import { repositoryOf } from '../../support/repository.ts'

async function callsFor(question: string, files: Record<string, string>): Promise<string[]> {
  const found = await survey(repositoryOf(files))
  const focus = focusOn(found, readMission('', question))
  return focus === undefined
    ? []
    : wayOf(found, focus).calls.map(({ from, to, line }) => `${from.symbol.name} ${to.symbol.name} ${line}`)
}

const util = `export function parseInvoice(text: string) {
  const invoice = text.trim()
  return invoice
}
export function printInvoice(invoice: string) {
  const line = invoice.trim()
  return line
}
export function sendInvoice(invoice: string) {
  const line = invoice.trim()
  return line
}
`

test('what only looks like a call is none', async () => {
  const calls = await callsFor('How is the invoice stored?', {
    'src/util.ts': util,
    'src/main.ts': `import { parseInvoice, sendInvoice, printInvoice } from './util.ts'
/** Stores an invoice. */
export function storeInvoice(invoice: string, sendInvoice: () => void) {
  const text = 'printInvoice(invoice)' // printInvoice(invoice)
  /* printInvoice(
     printInvoice(invoice) */
  library.printInvoice(invoice)
  sendInvoice()
  return parseInvoice(text)
}
`,
  })
  expect(calls).toEqual(['storeInvoice parseInvoice 9'])
})

test('a docstring and another object call nothing', async () => {
  const calls = await callsFor('How is the ledger loaded?', {
    'a.py': `class Ledger:
    def load_ledger(self, w):
        """Loads the ledger.
        self.save_ledger(1)
        """
        w._save(1)
        return self.read_ledger(w)

    def save_ledger(self, x):
        y = x
        return y

    def read_ledger(self, x):
        y = x
        return y

    def _save(self, x):
        y = x
        return y
`,
  })
  expect(calls).toEqual(['load_ledger read_ledger 7'])
})

const shop = {
  'src/main.ts':
    '/** Stores an invoice in the ledger. */\nexport function storeInvoice(text: string) {\n  return text.trim()\n}\n',
  'src/secret.py': 'class A:\n    def __init__(self):\n        pass\n',
  'handbook.md': '# Handbook\n\nThe warranty lasts two years.\n',
  'doc/release-checklist.md': '# Release\n\nFirst.\n',
  '.gitattributes': 'doc/* linguist-vendored\n',
}

test.each([
  ['How is the invoice stored concurrently?', /^(?:Likely|Perhaps|Not sure): .*storeInvoice/],
  ['Where is the ledger located?', /^(?:Likely|Perhaps|Not sure): .*storeInvoice/],
  ['How does __init__ work?', /__init__/],
  ['How long does the warranty last?', /handbook\.md/],
  ['How does src/none.ts store the invoice?', /There is no `src\/none\.ts`/],
  ['Fix the bug in the ledger', /nobody here changes code/],
  ['How is the unicorn fed?', /“unicorn” stands in no/],
  ['Where is the invoice sent to kafka?', /“kafka” stands in no/],
  ['How are outgoing calls throttled?', /“throttled” stands in no/],
  ['How does s3 work?', /“s3” stands in no/],
])('%s', async (question, answer) => {
  expect(answerQuestion(await survey(repositoryOf(shop)), question, 'Thanks, Bob')).toMatch(answer)
})

test('a word of any length is read at once, and what was left out is looked through', async () => {
  const found = await survey(
    repositoryOf({ ...shop, 'big.js': `const a = '${'A'.repeat(300_000)}'\nlet b\n` }),
  )
  expect(answerQuestion(found, 'How is the release checklist done?', '')).not.toContain(
    '“checklist” stands in no',
  )
  expect(answerQuestion(found, 'A'.repeat(100_000), '')).toContain('This is not answered')
})
