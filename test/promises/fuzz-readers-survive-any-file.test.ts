// Proves with more than 10,000 damaged files, made from whole ones by the suite's seed, that every reader of
// files either reads what the file says or refuses it by name; that no good file beside a bad one is lost; and
// that nothing is written over what was refused. Fails when a reader throws anything else, reads what is not
// there, or never ends.
import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConfigValidationError, UnreadableDocumentError } from '../../src/errors/document-errors.ts'
import { FedError } from '../../src/errors/fed-error.ts'
import { Federation } from '../../src/federation/federation.ts'
import { learn, learnings } from '../../src/records/learnings/learning-log.ts'
import { now } from '../../src/protocol/time.ts'
import { TeamRegistry } from '../../src/records/registry/team-registry.ts'
import { listSessions, recordEnd, recordSession } from '../../src/agents/sessions/session-record.ts'
import { Mailbox } from '../../src/records/signals/mailbox.ts'
import { loadConfig } from '../../src/records/config/load-config.ts'
import { readIdentity } from '../../src/federation/identity.ts'
import { Random } from '../simulation/random.ts'
import { newFederation, newFolder, reload } from '../support/federation.ts'
import { mutate, plainlyRead } from '../support/mutate.ts'
import { anySession } from '../support/session-record.ts'
import { isSignal } from '../support/signal-by-specification.ts'
import { seed } from '../support/thorough.ts'

const random = new Random(seed)

let fed = 0
let refused = 0
let root: string
let workspace: string

beforeAll(async () => {
  root = newFederation()
  const federation = new Federation(root)
  const { actor } = await federation.onboard({ domain: 'docs', archetype: 'deliverable' })
  workspace = actor.workspace
  await federation.send({
    from: 'meta',
    to: 'docs',
    type: 'directive',
    subject: 'Explain it',
    body: 'All of it',
  })
  await (await reload(root, 'docs')).step()
})

afterAll(() => {
  // a run may leave some readers to others
  if (process.env.FED_TAKE_ALL === '1') expect(fed).toBeGreaterThanOrEqual(10_000)
  // most of what was fed must have been bad, or nothing was proved
  if (fed > 1000) expect(refused).toBeGreaterThan(fed / 2)
})

/** Puts bytes in a file's place; published files and versions may not be written to. */
function put(file: string, bytes: Buffer | string): void {
  rmSync(file, { force: true })
  writeFileSync(file, bytes)
}

/** Feeds a reader damaged copies of a file; it must return what fits, or refuse by the name of a file. */
async function feed<Read>(
  times: number,
  files: readonly string[],
  reader: () => Read | Promise<Read>,
  fits: (read: Read, bytes: Buffer) => boolean,
): Promise<void> {
  const whole = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
  for (let turn = 0; turn < times; turn += 1) {
    const file = random.pick(files)
    const bytes = mutate(whole.get(file) as string, random)
    put(file, bytes)
    fed += 1
    const context = `turn ${turn} of ${path.basename(file)}, seed ${seed}: ${bytes.toString().slice(0, 2000)}`
    try {
      const read = await reader()
      if (!fits(read, bytes)) throw new Error(`read what is not there: ${JSON.stringify(read)}; ${context}`)
    } catch (error) {
      if (!(error instanceof UnreadableDocumentError) && !(error instanceof ConfigValidationError))
        throw error instanceof FedError ? error : new Error(context, { cause: error })
      refused += 1
      expect(
        files.map((one) => path.dirname(one)),
        context,
      ).toContain(path.dirname(error.file))
      const lines = error.message.split('\n')
      if (error instanceof UnreadableDocumentError) expect(lines, context).toHaveLength(1)
      else if (error.problems.length === 1) expect(lines, context).toHaveLength(1)
      else expect(lines.length, context).toBe(1 + error.problems.length)
      expect(error.message, context).not.toMatch(/(?!\n)\p{Cc}/u)
      // what was refused is for a person to look at: nothing is written over it
      expect(readFileSync(file).equals(bytes), context).toBe(true)
    }
    put(file, whole.get(file) as string)
  }
  // whole again, it is read again: nothing was spoiled on the way
  expect(fits(await reader(), Buffer.from(whole.get(files[0] as string) as string))).toBe(true)
}

test('signals: 3,000 in 30 inboxes, each beside a good one', () => {
  const minuteAgo = Date.now() / 1000 - 60
  for (let round = 0; round < 30; round += 1) {
    const docs = new Mailbox('docs', newFolder('inbox'))
    docs.create()
    const place = (file: string, bytes: Buffer | string) => {
      writeFileSync(path.join(docs.inbox, file), bytes)
      utimesSync(path.join(docs.inbox, file), minuteAgo, minuteAgo)
    }
    const signal = (number: number) => ({
      id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
      timestamp: now(),
      from: 'meta',
      to: 'docs',
      type: 'report',
      subject: 'Ports are open',
      body: 'All of them:\n\t"80", 443 – ünd 🚀',
      protocol: 'file-signal-v1',
    })
    const given = new Map<string, unknown>()
    for (let number = 1; number <= 100; number += 1) {
      const bytes = mutate(JSON.stringify(signal(number), null, number % 3), random)
      place(`bad-${number}.json`, bytes)
      fed += 1
      const plain = plainlyRead(bytes)
      if (plain === undefined || !isSignal(plain.json)) refused += 1
      else given.set(`bad-${number}.json`, plain.json)
    }
    const good = signal(0)
    place('good.json', JSON.stringify(good))
    const read = new Map([...docs.unacknowledged(), ...docs.misaddressed()].map((one) => [one.file, one]))
    expect(read.get('good.json'), `seed ${seed}`).toMatchObject(good)
    expect([...read.keys()].toSorted(), `seed ${seed}`).toEqual(['good.json', ...given.keys()].toSorted())
    for (const [file, json] of given) {
      const { acknowledged: _claimed, acknowledged_at: _claimedAt, ...said } = json as Record<string, unknown>
      expect(read.get(file), `seed ${seed}`).toEqual({ ...said, file })
    }
    expect(docs.quarantined(), `seed ${seed}`).toHaveLength(100 - given.size)
    for (const { reason } of docs.quarantined()) expect(reason).not.toMatch(/\p{Cc}/u)
  }
})

test('acknowledgments: 1,000, each acknowledges', () => {
  const docs = new Mailbox('docs', newFolder('inbox'))
  docs.create()
  const valid = JSON.stringify({ acknowledged: true, acknowledged_at: '2026-01-01T00:00:00.000Z' })
  const signal = JSON.stringify({
    id: '6f1c2f0e-3d5b-4b70-9a51-0c2b7a4e8f11',
    timestamp: '2026-01-01T00:00:00Z',
    from: 'meta',
    to: 'docs',
    type: 'report',
    subject: 'Seen',
    body: '',
    protocol: 'file-signal-v1',
  })
  const said = new Map<string, unknown>()
  for (let number = 0; number < 1000; number += 1) {
    const bytes = mutate(valid, random)
    writeFileSync(path.join(docs.inbox, `${number}.json`), signal)
    writeFileSync(path.join(docs.inbox, `${number}.json.ack`), bytes)
    fed += 1
    said.set(`${number}.json`, plainlyRead(bytes)?.json)
  }
  expect(docs.unacknowledged()).toEqual([])
  const all = docs.all()
  expect(all).toHaveLength(1000)
  for (const { file, acknowledged, acknowledged_at } of all) {
    expect(acknowledged).toBe(true)
    if (acknowledged_at === undefined) refused += 1
    else expect(said.get(file), `seed ${seed}`).toEqual({ acknowledged, acknowledged_at })
  }
})

test('configurations: 1,500', async () => {
  const file = path.join(root, 'federate.config.json')
  const { description } = JSON.parse(readFileSync(file, 'utf8')) as { description: string }
  put(
    file,
    JSON.stringify({
      description,
      federationName: 'shop',
      agentCommand: 'fed-agent',
      telemetry: { enabled: false, collector: { endpoint: 'http://localhost:4318' } },
      chatConfig: { teamId: '6f1c2f0e-3d5b-4b70-9a51-0c2b7a4e8f11', channelId: '19:abc@thread.tacv2' },
      playbookSkill: 'playbook',
      deliverable: 'report.md',
      deliverableSchema: 'schema.json',
    }),
  )
  await feed(
    1500,
    [file],
    () => loadConfig(root),
    (config, bytes) => {
      const { json } = plainlyRead(bytes) ?? { json: undefined }
      // each field that is given is read as given, whatever the defaults of the others are
      return Object.entries(json as object).every(
        ([field, value]) =>
          field === 'telemetry' || isDeepStrictEqual((config as Record<string, unknown>)[field], value),
      )
    },
  )
  put(file, '{}')
})

test('registries: 1,500, the published file or its versions', async () => {
  const file = path.join(root, '.fed', 'team-registry.json')
  const folder = path.join(root, '.fed', 'team-registry.d')
  const { lockVersion } = new TeamRegistry(root).read()
  const newest = path.join(folder, `${lockVersion}.json`)
  const ours = JSON.parse(readFileSync(newest, 'utf8')) as { commit: unknown }
  const plain = (json: object) => {
    const { commit: _stamped, ...rest } = json as { commit?: unknown }
    return rest
  }
  await feed(
    1500,
    [file, newest],
    () => new TeamRegistry(root).read(),
    (registry, bytes) => {
      const { json } = plainlyRead(bytes) ?? {}
      // an edit by hand is read as it is, or has lost against the newest version
      return [json, ours].some(
        (said) =>
          typeof said === 'object' && said !== null && isDeepStrictEqual(plain(registry), plain(said)),
      )
    },
  )
})

test('lifecycles: 1,500, the published file or one of its versions', async () => {
  const file = path.join(workspace, '.fed', 'lifecycle.json')
  const versions = [1, 2].map((version) => path.join(workspace, '.fed', 'lifecycle.d', `${version}.json`))
  const truth = JSON.parse(readFileSync(file, 'utf8')) as { snapshot: { context: unknown } }
  await feed(
    1500,
    [file, ...versions],
    async () => (await reload(root, 'docs')).present(),
    ({ state, context }) => state === 'preparing' && isDeepStrictEqual(context, truth.snapshot.context),
  )
})

test('learning logs: 1,000, and the good lines of each are read', () => {
  const place = newFolder('learnings')
  mkdirSync(path.join(place, '.fed'))
  const file = path.join(place, '.fed', 'learnings.jsonl')
  const finding = {
    domain: 'docs',
    category: 'pattern',
    content: 'It answers 42',
    tags: ['src'],
    confidence: 'high',
  } satisfies Parameters<typeof learn>[1]
  learn(place, finding)
  const line = readFileSync(file, 'utf8').trimEnd()
  for (let turn = 0; turn < 1000; turn += 1) {
    const bytes = mutate(line, random)
    writeFileSync(file, Buffer.concat([Buffer.from(`${line}\n`), bytes, Buffer.from(`\n${line}\n`)]))
    fed += 1
    const read = learnings(place)
    const good = JSON.parse(line) as object
    expect(read.length, `seed ${seed}: ${bytes.toString()}`).toBeGreaterThanOrEqual(2)
    expect(read[0]).toEqual(good)
    expect(read.at(-1)).toEqual(good)
    if (read.length === 2) refused += 1
    else if (!bytes.includes('\n') && !bytes.includes(0xfffd) && plainlyRead(bytes) !== undefined)
      expect(read[1]).toEqual(plainlyRead(bytes)?.json)
  }
})

test('session records: 500', async () => {
  const dir = path.join(newFolder('sessions'), 'sessions')
  recordSession(dir, anySession)
  recordEnd(dir, anySession, { at: now(), exitCode: 0, cause: 'ended' })
  const files = ['1-1.json', '1-1.end.json'].map((name) => path.join(dir, name))
  await feed(
    500,
    files,
    () => listSessions(dir),
    (sessions) => sessions.length === 1 && typeof sessions[0]?.agent === 'string',
  )
})

test('identities: 500', async () => {
  const file = path.join(workspace, '.fed', 'team.json')
  await feed(
    500,
    [file],
    () => readIdentity(workspace),
    (identity, bytes) => isDeepStrictEqual({ format: 'fed-team-1', ...identity }, plainlyRead(bytes)?.json),
  )
})
