// What an agent says when it cannot go on is told apart: a limit with the time at which it may go on, what a
// person has to see to, a provider that fails for a while, a session that is too long, or something else. It fails when the name of a file counts, or a time is read wrongly.
import { describe, expect, test } from 'vitest'
import { complaint, resumesAt } from '../../src/agents/drivers/agent-error.ts'
import { claudeStream } from '../../src/agents/drivers/streams/claude.ts'
import type { ToldReport } from '../../src/agents/sessions/session-reports.ts'

test.each([
  ["You've hit your usage limit. Try again at 3:05 PM.", 'limit'],
  ['Claude AI usage limit reached|1795278513', 'limit'],
  ['RESOURCE_EXHAUSTED: Quota exceeded, resets after 10h5m3s', 'limit'],
  ['429 Too Many Requests', 'limit'],
  ['Not logged in · Please run /login', 'refusal'],
  ['Error: No authentication information found.', 'refusal'],
  ['Please set an Auth method in your settings.json', 'refusal'],
  ['unexpected status 401 Unauthorized', 'refusal'],
  ['stream disconnected before completion', 'unavailable'],
  ['Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', 'unavailable'],
  ['exceeded retry limit, last status: 503 Service Unavailable', 'unavailable'],
  ['connect ECONNREFUSED 127.0.0.1:443', 'unavailable'],
  ['TypeError: fetch failed', 'unavailable'],
  ['You exceeded your current quota, code: insufficient_quota, see your billing details', 'refusal'],
  ['Your credit balance is too low to access the API', 'refusal'],
  ['The model gpt-9 does not exist or you do not have access to it', 'refusal'],
  ['--dangerously-skip-permissions cannot be used with root/sudo privileges', 'refusal'],
  ['prompt is too long: 210000 tokens > 200000 maximum', 'overflow'],
  ["Codex ran out of room in the model's context window. Start a new thread", 'overflow'],
  ['The provider rejected the prompt as too long, but automatic recovery could not reduce it.', 'overflow'],
  ["Model 'scripted' not found on provider at http://127.0.0.1:37307/v1 (HTTP 404).", 'refusal'],
  ['Quota exceeded. Check your plan and billing details.', 'refusal'],
  [
    'unexpected status 529 <unknown status code>: Overloaded, url: http://127.0.0.1:40539/v1/responses',
    'unavailable',
  ],
  [
    'Failed native model HTTP request: client error (SendRequest): connection closed before message completed',
    'unavailable',
  ],
  ['[API Error: {"error":{"message":"model: x does not exist","code":"model_not_found"}}]', 'refusal'],
  ['{"error":{"code":"context_length_exceeded","message":"too much"}}', 'overflow'],
  ["ENOENT: no such file or directory, open '/work/login-svc/quota/api-key.ts'", undefined],
  ['cannot read login-svc', undefined],
  ["cd: 'quota': No such file or directory", undefined],
  ['cat: quota: No such file or directory', undefined],
  ['ENOENT: no such file or directory, open "billing"', undefined],
  ['Error: folder /srv/my login is not trusted', undefined],
  ['mkdir: cannot create directory ‘billing’: File exists', undefined],
  ["open 'my login page.md'", undefined],
  ["scandir '/srv/Customer Billing'", undefined],
  ['Cannot find module "login"', undefined],
  ['spawn credentials ENOENT', undefined],
  ['cannot read (quota)', undefined],
  ["cannot change to 'rate limit'", undefined],
  ['cannot write file 429', undefined],
  ['line 503 of app.ts', undefined],
  ['TypeError: no catalog in src; see the log in /tmp/x', undefined],
  ['', undefined],
])('%j is a %s', (words, kind) => {
  expect(complaint(words)?.kind).toBe(kind)
})

test.each([
  [429, 90_000, 'limit'],
  [429, 5000, undefined],
  [529, 90_000, undefined],
])('claude, which waits at status %i for %i ms, is at a limit: %s', (status, wait, kind) => {
  const told: ToldReport[] = []
  claudeStream((report) => told.push(report))({
    type: 'system',
    subtype: 'api_retry',
    error_status: status,
    retry_delay_ms: wait,
  })
  expect(told.map((one) => one.kind)).toEqual(kind === undefined ? [] : [kind])
})

test('a status decides where the words do not', () => {
  expect(complaint('it did not work', 429)).toEqual({ kind: 'limit', words: 'it did not work', until: null })
  expect(complaint('it did not work', 403)?.kind).toBe('refusal')
  expect(complaint('it did not work', 529)?.kind).toBe('unavailable')
  expect(complaint('insufficient_quota', 429)?.kind).toBe('refusal')
  expect(complaint('prompt is too long', 400)?.kind).toBe('overflow')
})

const soon = Math.ceil(Date.now() / 1000) + 600

test.each([
  ['rejected', soon, {}, new Date(soon * 1000).toISOString()],
  ['rejected', soon * 1000, {}, null],
  ['rejected', 1e15, {}, null],
  ['rejected', 'soon', {}, null],
  ['rejected', soon, { isUsingOverage: true }, undefined],
  ['allowed_warning', soon, {}, undefined],
])('claude, %s until %j %j, is a limit until %j', (status, resetsAt, more, time) => {
  const told: ToldReport[] = []
  const info = { status, resetsAt, ...more }
  claudeStream((report) => told.push(report))({ type: 'rate_limit_event', rate_limit_info: info })
  expect(told).toMatchObject(time === undefined ? [] : [{ kind: 'limit', until: time }])
})

describe('when it may go on', () => {
  const present = new Date(2026, 10, 21, 16, 0, 0)
  const local = (day: number, hour: number, minute: number) =>
    new Date(2026, 10, day, hour, minute).toISOString()
  test.each([
    ['limit reached|1795278513', '2026-11-21T16:28:33.000Z'],
    ['resets 2026-11-22T01:00:00Z', '2026-11-22T01:00:00.000Z'],
    ['try again at 5:30 PM', local(21, 17, 30)],
    ['resets 3pm', local(22, 15, 0)],
    ['resets at 03:15', local(22, 3, 15)],
    ['try again in 20 seconds', new Date(present.getTime() + 20_000).toISOString()],
    ['resets after 10h5m3s', new Date(present.getTime() + 36_303_000).toISOString()],
    ['try again in 2 days 3 hours', new Date(present.getTime() + 183_600_000).toISOString()],
    ['try again later', undefined],
    ['try again in 99999999999999999999 days', undefined],
    ['resets 9999-01-01T00:00:00Z', undefined],
    ['try again in a while, I made 5 attempts', undefined],
  ])('%j', (words, time) => {
    expect(resumesAt(words, present)).toBe(time)
  })
})
