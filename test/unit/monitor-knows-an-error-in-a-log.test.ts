// Proves what counts as an error in a session's log (spec §6: no errors in logs): what the agent itself says of it,
// at the end and in the middle. Fails when an agent that studies errors or quotes one looks unhealthy, or a failure
// does not.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { errorAnywhere, errorAtEnd } from '../../src/monitor/session-log.ts'
import { newFolder } from '../support/federation.ts'

function logOf(text: string): string {
  const file = path.join(newFolder('log'), '1-1.log')
  writeFileSync(file, text)
  return file
}

test.each<[string, string]>([
  ['Error: no credentials\n', 'Error: no credentials'],
  ['\u001B[31merror: quota exceeded\u001B[0m\n\n', 'error: quota exceeded'],
  ['reading\n2026-11-21T10:00:00Z ERROR out of memory\n', '2026-11-21T10:00:00Z ERROR out of memory'],
  ['[FATAL] no network', '[FATAL] no network'],
  ['error[E0308]: mismatched types\n', 'error[E0308]: mismatched types'],
  [
    'TypeError: x is undefined\n    at read (a.js:1:2)\n    at main\n\nNode.js v20.20.2\n',
    'TypeError: x is undefined',
  ],
  ['Traceback (most recent call last):\n  File "a.py", line 1\nValueError: boom\n', 'ValueError: boom'],
  ['panic: runtime error\n\tmain.go:3\n', 'panic: runtime error'],
  ['{"type":"error","message":"unauthorized"}\n', 'unauthorized'],
  [
    '{"type":"result","subtype":"error_during_execution","is_error":true,"result":"no turn left"}',
    'no turn left',
  ],
  ['{"type":"turn.failed","error":{"message":"stream closed"}}\n', 'stream closed'],
  ['{"type":"result","status":"error","error":{"message":"quota"}}\n', 'quota'],
])('an error: %j', (text, error) => {
  expect(errorAtEnd(logOf(text))).toBe(error)
  expect(errorAnywhere(logOf(text))).toBe(error)
  // whatever comes after it
  expect(errorAnywhere(logOf(`I begin\n${text}\nI go on\n${'and on\n'.repeat(10_000)}`))).toBe(error)
})

test.each<[string]>([
  [''],
  ['The error is thrown in src/app.ts\n'],
  ['Error handling is done in src/errors.ts, see class FedError.\n'],
  ['- Error: the base class of all errors\n'],
  ['0 errors, 2 warnings\n'],
  ['no error\n'],
  [
    '{"type":"assistant","message":{"content":[{"type":"tool_result","is_error":true,"content":"error: x"}]}}\n',
  ],
  ['{"type":"text","text":"error: is what it prints"}\n'],
  ['errors.ts: the classes\n'],
  ['{"type":"tool_result","status":"error","output":"error: no such file"}\n'],
])('none: %j', (text) => {
  expect(errorAtEnd(logOf(text))).toBeUndefined()
  expect(errorAnywhere(logOf(`I begin\n${text}\nI go on\n`))).toBeUndefined()
})

test.each<[string]>([
  ['error: try again\ncontinuing\n'],
  ['{"type":"error","message":"reconnecting 1 of 5"}\n{"type":"turn.completed"}\n'],
])('no last words: %j', (text) => {
  expect(errorAtEnd(logOf(text))).toBeUndefined()
})

test('of several errors the last is told', () => {
  expect(errorAnywhere(logOf('error: first\nerror: second\nI go on\n'))).toBe('error: second')
})

test('of a long log only the end is read for its last words, and a long error is cut', () => {
  expect(errorAtEnd(logOf(`error: ${'x'.repeat(40_000)}`))).toBeUndefined()
  expect(errorAtEnd(logOf(`${'line\n'.repeat(10_000)}error: ${'x'.repeat(400)}`))).toMatch(/^error: x{193}…$/)
})

test('what is no log, or gone, has no error', () => {
  const dir = newFolder('log')
  mkdirSync(path.join(dir, 'folder'))
  for (const name of ['gone', 'folder'])
    for (const search of [errorAtEnd, errorAnywhere]) expect(search(path.join(dir, name))).toBeUndefined()
})
