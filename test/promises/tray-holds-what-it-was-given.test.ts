// Proves that nothing that an agent puts into its tray, or in its place, leads fed elsewhere, holds it up, or speaks
// for anybody else. It fails when a link is followed, when a pipe or a large file is read, or when a well-formed
// request beside the planted one is not answered.
import { execFileSync } from 'node:child_process'
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { Post } from '../../src/agents/tray/answer-request.ts'
import { Federation } from '../../src/federation/federation.ts'
import { answersOf, requestFormat } from '../../src/protocol/tray.ts'
import { newFederation, newFolder } from '../support/federation.ts'
import { answerTo, drop, postmanOf, postOf, serveOnce, trayOf } from '../support/tray.ts'

const planted = '11111111-9d1e-4c7a-8a41-2f3c5d6e7f80'
const honest = '22222222-9d1e-4c7a-8a41-2f3c5d6e7f80'
/** What lies outside and must stay as it is. */
let secret: string
let root: string
let post: Post

beforeEach(async () => {
  root = newFederation()
  await new Federation(root).onboard({ domain: 'docs', archetype: 'deliverable' })
  await new Federation(root).onboard({ domain: 'api', archetype: 'deliverable' })
  post = postOf(root, 'docs')
  secret = path.join(newFolder('outside'), 'secret')
  writeFileSync(secret, requestFormat.textOf({ id: planted, verb: 'learn', args: { content: 'secret' } }))
})

const request = (given: object) =>
  JSON.stringify({ format: 'fed-request-1', id: planted, verb: 'status', args: {}, ...given })
const refused = (exitCode: number) => ({ error: { exitCode } })

/** What lies under a request's name, and what is answered; undefined where nobody can be. */
const things: Record<string, readonly [plant: (file: string) => void, answer: object]> = {
  'a link to a file': [(file) => symlinkSync(secret, file), refused(2)],
  'a link to a folder': [(file) => symlinkSync(path.dirname(secret), file), refused(2)],
  'a link to nothing': [(file) => symlinkSync('/nowhere', file), refused(2)],
  'a folder': [(file) => mkdirSync(file), refused(2)],
  'a pipe': [(file) => void execFileSync('mkfifo', [file]), refused(2)],
  'a device': [(file) => symlinkSync('/dev/zero', file), refused(2)],
  'a huge file': [(file) => (writeFileSync(file, ''), truncateSync(file, 2 ** 40)), refused(2)],
  'no JSON': [(file) => writeFileSync(file, '{'), refused(2)],
  'bytes that are no text': [(file) => writeFileSync(file, Buffer.from([0xff, 0xfe, 0])), refused(2)],
  'another format': [(file) => writeFileSync(file, request({ format: 'fed-answer-1' })), refused(2)],
  'a newer format': [(file) => writeFileSync(file, request({ format: 'fed-request-2' })), refused(2)],
  'another id': [(file) => writeFileSync(file, request({ id: honest })), refused(2)],
  'an unknown field': [(file) => writeFileSync(file, request({ from: 'meta' })), refused(2)],
  'a verb that is a path': [(file) => writeFileSync(file, request({ verb: '../send' })), refused(2)],
  'a verb of every object': [(file) => writeFileSync(file, request({ verb: 'constructor' })), refused(5)],
  'arguments of other types': [
    (file) => writeFileSync(file, request({ verb: 'send', args: { to: ['api'] } })),
    refused(2),
  ],
  'a sender among the arguments': [
    (file) =>
      writeFileSync(
        file,
        request({ verb: 'send', args: { to: 'api', type: 'report', subject: 'x', from: 'meta' } }),
      ),
    refused(2),
  ],
  'a team that is a path': [
    (file) => writeFileSync(file, request({ verb: 'status', as: '../api' })),
    refused(5),
  ],
}

test.each(Object.entries(things))('%s', async (_, [plant, answer]) => {
  plant(path.join(trayOf(post), `${planted}.json`))
  drop(post, honest, 'learn', { content: 'Beside it' })
  await serveOnce(post)
  expect(answerTo(post, planted)).toMatchObject(answer)
  expect(answerTo(post, honest)).toMatchObject({ value: { content: 'Beside it' } })
  expect(readdirSync(trayOf(post))).toEqual([])
  expect(readFileSync(secret, 'utf8')).toContain('secret')
  const logged = readFileSync(path.join(post.workspace, '.fed', 'learnings.jsonl'), 'utf8')
  expect(logged).not.toContain('secret')
  expect(new Federation(root).mailbox('api').all()).toEqual([])
})

test('names that are no requests are left alone', async () => {
  for (const name of ['x.json', '..json', `${planted}.tmp`, `${planted}.json.json`])
    writeFileSync(path.join(trayOf(post), name), request({}))
  await serveOnce(post)
  expect(readdirSync(trayOf(post))).toHaveLength(4)
})

test('a second name of another file is read as it is, and the other file stays', async () => {
  linkSync(secret, path.join(trayOf(post), `${planted}.json`))
  await serveOnce(post)
  expect(answerTo(post, planted)).toMatchObject({ value: { content: 'secret' } })
  expect(readFileSync(secret, 'utf8')).toContain('secret')
})

test.each(['tray', 'answers'])('a link in the place of the %s refuses the session', (folder) => {
  trayOf(post)
  const place = path.join(post.workspace, '.fed', folder)
  rmSync(place, { recursive: true, force: true })
  symlinkSync(path.dirname(secret), place)
  expect(() => postmanOf(post)).toThrow(/is a symbolic link, and fed keeps a folder/)
  expect(readdirSync(path.dirname(secret))).toEqual(['secret'])
})

// where descriptors have no names the folder is looked at when it is opened
test.skipIf(process.platform !== 'linux')('what is put in their place later leads nowhere', async () => {
  const postman = postmanOf(post)
  const answers = answersOf(trayOf(post))
  renameSync(answers, `${answers}-aside`)
  symlinkSync(path.dirname(secret), answers)
  drop(post, honest, 'learn', { content: 'Beside it' })
  await postman.finish()
  expect(readdirSync(path.dirname(secret))).toEqual(['secret'])
  expect(readdirSync(`${answers}-aside`)).toEqual([`${honest}.json`])
})
