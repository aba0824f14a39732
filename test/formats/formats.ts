// For each format of fed's own: where its file lies in a federation, by what it is read, and what every recorded
// version says to that reader.
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { awaitedMission } from '../../src/agents/sessions/awaited-end.ts'
import { listSessions } from '../../src/agents/sessions/session-record.ts'
import { readReports } from '../../src/agents/sessions/session-reports.ts'
import { ledgerDocument as chatDocument } from '../../src/apps/chat/chat-ledger.ts'
import { LocalChannel } from '../../src/apps/chat/local-channel.ts'
import { lastAddress } from '../../src/apps/web/dashboard/address.ts'
import { newestResult } from '../../src/engine/checks/results.ts'
import { lookedIn } from '../../src/engine/step/mend-outbox.ts'
import { lifecycleDocument } from '../../src/engine/step/lifecycle-document.ts'
import { readPresent } from '../../src/engine/step/present.ts'
import { remembered } from '../../src/engine/step/session-memory.ts'
import { newestTestRun } from '../../src/engine/step/test-runs.ts'
import type { Actor } from '../../src/engine/step/world.ts'
import { builtIn } from '../../src/federation/catalogue.ts'
import { chatAuthorOf } from '../../src/federation/chat-author.ts'
import { readRecord } from '../../src/federation/federation-record.ts'
import { faultsOf } from '../../src/federation/hooks/faults.ts'
import { isInitialized } from '../../src/federation/hooks/initialize.ts'
import { readIdentity } from '../../src/federation/identity.ts'
import { lastFormer } from '../../src/federation/former-teams.ts'
import { allTrusted } from '../../src/federation/trust/trust-store.ts'
import { allAllowed } from '../../src/platform/git/strange-filters.ts'
import { leftCheckouts } from '../../src/platform/git/checkout.ts'
import { readLogTimes } from '../../src/platform/process/log-times.ts'
import { identify } from '../../src/platform/process/process-identity.ts'
import { isClaimed } from '../../src/platform/storage/claim.ts'
import { listAside } from '../../src/link/put-aside.ts'
import { lineFormat } from '../../src/link/line-entry.ts'
import { parcelFormat } from '../../src/link/parcel.ts'
import { presenceFormat } from '../../src/link/presence.ts'
import type { OwnFormat } from '../../src/protocol/own-format.ts'
import { readKnown } from '../../src/records/sites/known-teams.ts'
import { lastCaughtUp } from '../../src/records/sites/link-state.ts'
import { readSite } from '../../src/records/sites/site-record.ts'
import { federationLayout } from '../../src/protocol/folder-layout.ts'
import { answerFormat, requestFormat } from '../../src/protocol/tray.ts'
import { ledgerDocument as telemetryDocument } from '../../src/telemetry/telemetry-ledger.ts'

const asked = (file: string) => requestFormat.decode(JSON.parse(readFileSync(file, 'utf8')), file)
const answered = (file: string) => answerFormat.decode(JSON.parse(readFileSync(file, 'utf8')), file)

/** What has no file of its own: it travels between sites. */
const decodedBy = (format: OwnFormat<object>, file: string) =>
  format.decode(JSON.parse(readFileSync(file, 'utf8')), file)

/** Federation, team and commit of which the recorded files speak. */
const shop = '/home/ann/shop'
const commit = '78f35b33503fbba27240c3ac68456ca62ac65559'
const check = { name: 'test', digest: 'd54bab9e8284aa65a7ed56168e5949f0' }

const docs = '.fed/teams/docs'
const sessions = `${docs}/.fed/sessions`

/** How a format is tried. */
export interface KnownFormat {
  /** Where its file lies below a federation's root. */
  readonly place: string
  /** Its reader, in a federation of which the root is given. */
  readonly read: (root: string) => unknown
  /** What the reader makes of each recorded version, by the file's name. */
  readonly says: Readonly<Record<string, unknown>>
  /** Whether it counts only under the seal of the machine on which it is read. */
  readonly isSealed?: true
  /** Whether the file lies beside a folder of its versions as well. */
  readonly isVersioned?: true
  /** What must lie there besides: a place, and the recorded file for it. */
  readonly beside?: readonly [place: string, recorded: string]
  /** A newer one is not refused: another is made in its place, or it is left to whoever made it. */
  readonly isPassedOver?: true
}

export const formats: Readonly<Record<string, KnownFormat>> = {
  aside: {
    place: '.fed/link/aside/docs-2.json',
    read: (root) => listAside(root),
    says: { 'v1.json': [{ team: 'docs', site: 'berlin', accepted: 3, versions: [{ version: 4 }] }] },
  },
  'awaited-end': {
    place: `${docs}/.fed/awaited-end.json`,
    read: (root) => awaitedMission(path.join(root, docs, '.fed', 'awaited-end.json')),
    says: { 'v1.json': 1 },
  },
  chat: {
    place: '.fed/chat/local.json',
    isVersioned: true,
    read: (root) => chatDocument(root, 'local').read()?.content,
    says: { 'v1.json': { channel: 'local', handled: [{ answered: 'ann' }], summary: { number: 0 } } },
  },
  'chat-author': {
    place: '.fed/chat/authors/8de4dcb8-9aea-469c-be63-38a9a43a76f2.json',
    read: (root) => chatAuthorOf(root, '8de4dcb8-9aea-469c-be63-38a9a43a76f2'),
    says: { 'v1.json': 'ann' },
  },
  'chat-message': {
    place: '.fed/chat/messages.jsonl',
    read: (root) => new LocalChannel(root, 'shop').messages(),
    says: {
      'v1.jsonl': [
        { line: 1, message: { sender: 'ann', text: '@shop status' } },
        { line: 2, message: { sender: 'shop' } },
      ],
    },
  },
  check: {
    place: `.fed/checks/web/${commit}/test.1.json`,
    isSealed: true,
    read: (root) => newestResult({ root, team: 'web', commit }, check),
    says: {
      'v1.json': { commit, check: 'test', passed: true, exitCode: 0, fault: null },
      'v2.json': { commit, check: 'test', passed: true, exitCode: 0, fault: null, open: null },
    },
  },
  checkout: {
    // the folder of the system for temporary files
    place: 'fed-check-1/owner.json',
    read(root) {
      const { TMPDIR } = process.env
      process.env.TMPDIR = root
      try {
        return leftCheckouts(shop).length
      } finally {
        if (TMPDIR === undefined) delete process.env.TMPDIR
        else process.env.TMPDIR = TMPDIR
      }
    },
    says: { 'v1.json': 1 },
    isPassedOver: true,
  },
  claim: {
    place: '.fed/teams/.docs.onboarding.1',
    read(root) {
      const file = path.join(root, '.fed', 'teams', '.docs.onboarding.1')
      const { pid, started } = identify(process.pid) as { pid: number; started: string }
      // that of a process that runs
      writeFileSync(file, readFileSync(file, 'utf8').replace(/ \d+ \d+\n/, ` ${pid} ${started}\n`))
      return isClaimed(path.dirname(file), '.docs.onboarding')
    },
    says: { 'v1.txt': true },
  },
  codebase: {
    place: `${docs}/.fed/codebase/1-1/before.json`,
    read: (root) => remembered(path.join(root, docs, '.fed', 'codebase', '1-1')),
    says: { 'v1.json': { codebase: { branch: 'refs/heads/main', opaque: {} } } },
  },
  dashboard: {
    place: '.fed/dashboard/address.json',
    read(root) {
      chmodSync(path.join(root, '.fed', 'dashboard', 'address.json'), 0o600)
      return lastAddress(root)?.port
    },
    says: { 'v1.json': 34561 },
    isPassedOver: true,
  },
  boot: {
    place: '.fed/boot.json',
    read: (root) => lookedIn(federationLayout(root).boot),
    says: { 'v1.json': 'd6d0a3ba-6f34-4d0c-9a31-6f1a8e3c9f52' },
  },
  federation: {
    place: '.fed/federation.json',
    read: readRecord,
    says: { 'v1.json': { id: '62ea1a72-ac14-4c41-8051-993ade78c5e8', root: shop } },
  },
  'hook-fault': {
    place: '.fed/hook-faults.jsonl',
    read: (root) => faultsOf(root, path.join(root, 'gone.ts')),
    says: { 'v1.jsonl': [{ function: 'onTransition', line: 6, message: 'no such channel', team: 'looker' }] },
  },
  'hook-initialized': {
    place: '.fed/hook-initialized.json',
    read: (root) => isInitialized(root, 'hook.ts'),
    says: { 'v1.json': true },
  },
  'known-teams': {
    place: '.fed/link/teams.json',
    read: readKnown,
    says: { 'v1.json': { sequence: 47, teams: { docs: { site: 'berlin', epoch: 2, version: 6 } } } },
  },
  'link-state': {
    place: '.fed/link/state.json',
    read: lastCaughtUp,
    says: { 'v1.json': Date.parse('2026-11-24T02:12:33.017Z') },
  },
  line: {
    place: 'line.json',
    read: (root) => decodedBy(lineFormat, path.join(root, 'line.json')),
    says: { 'v1.json': { kind: 'owner', site: 'berlin', epoch: 2, version: 3 } },
  },
  lifecycle: {
    place: `${docs}/.fed/lifecycle.json`,
    isVersioned: true,
    read(root) {
      const workspace = path.join(root, docs)
      const { logic } = builtIn.of('deliverable')
      const lifecycle = lifecycleDocument(workspace)
      const { snapshot } = readPresent({
        team: 'docs',
        archetype: 'deliverable',
        logic,
        workspace,
        lifecycle,
      } as Actor)
      return snapshot
    },
    says: { 'v1.json': { status: 'done', value: 'complete', context: { figures: { sections: 7 } } } },
  },
  'log-times': {
    place: `${sessions}/1-1.times`,
    read: (root) => readLogTimes(path.join(root, sessions, '1-1.times')).map(({ bytes }) => bytes),
    says: { 'v1.txt': [19, 75, 92, 118, 141] },
  },
  offboarding: {
    place: '.fed/archive/docs.json',
    read: (root) => lastFormer(root, 'docs')?.offboarding,
    says: { 'v1.json': { entry: { domainId: 'docs', status: 'archived' }, lastVersion: 6, lastRescue: 0 } },
  },
  session: {
    place: `${sessions}/1-1.json`,
    read: (root) => listSessions(path.join(root, sessions)),
    says: {
      'v1.json': [{ mission: 1, number: 1, agent: 'fed-agent', driver: 'raw', end: undefined }],
      'v2.json': [{ mission: 1, number: 1, agent: 'fed-agent', open: null, end: undefined }],
    },
  },
  'session-end': {
    place: `${sessions}/1-1.end.json`,
    beside: [`${sessions}/1-1.json`, 'session/v1.json'],
    read: (root) => listSessions(path.join(root, sessions)).map(({ end }) => end),
    says: {
      'v1.json': [{ exitCode: 0, cause: 'finished' }],
      'v2.json': [{ exitCode: 0, cause: 'finished' }],
    },
  },
  parcel: {
    place: 'parcel.json',
    read: (root) => decodedBy(parcelFormat, path.join(root, 'parcel.json')),
    says: { 'v1.json': { files: [{ path: 'deliverable.md' }] } },
  },
  presence: {
    place: 'presence.json',
    read: (root) => decodedBy(presenceFormat, path.join(root, 'presence.json')),
    says: { 'v1.json': { host: 'tokyo-1', labels: ['gpu'], slots: 2, sequence: 47 } },
  },
  request: {
    place: `${docs}/.fed/tray/1-1/9e107d9d-3725-4b1c-8e0a-5b1f0c2a7d11.json`,
    read: (root) => asked(path.join(root, docs, '.fed/tray/1-1/9e107d9d-3725-4b1c-8e0a-5b1f0c2a7d11.json')),
    says: { 'v1.json': { verb: 'report', args: { subject: 'files-read' } } },
  },
  answer: {
    place: `${docs}/.fed/answers/1-1/9e107d9d-3725-4b1c-8e0a-5b1f0c2a7d11.json`,
    read: (root) =>
      answered(path.join(root, docs, '.fed/answers/1-1/9e107d9d-3725-4b1c-8e0a-5b1f0c2a7d11.json')),
    says: { 'v1.json': { value: { outcome: 'accepted', from: 'scanning', to: 'analyzing' } } },
  },
  'session-report': {
    place: `${sessions}/1-1.reports.jsonl`,
    read: (root) => readReports(path.join(root, sessions), { mission: 1, number: 1 }),
    says: { 'v1.jsonl': { told: [{ signal: '8de4dcb8-9aea-469c-be63-38a9a43a76f2', by: 'first prompt' }] } },
  },
  site: {
    place: '.fed/link/site.json',
    read: readSite,
    says: { 'v1.json': { site: 'tokyo', federation: 'shop', meta: 'berlin', slots: 2 } },
  },
  team: {
    place: `${docs}/.fed/team.json`,
    read: (root) => readIdentity(path.join(root, docs)),
    says: { 'v1.json': { team: 'docs', archetype: 'deliverable', root: shop } },
  },
  telemetry: {
    place: '.fed/telemetry.json',
    isVersioned: true,
    read: (root) => telemetryDocument(root).read()?.content,
    says: { 'v1.json': { teams: { docs: { totals: { sessions: { finished: 1 } } } } } },
  },
  'git-filters': {
    // the folder of the person's own settings
    place: 'fed/git-filters.json',
    isPassedOver: true,
    read: (root) => inSettings(root, allAllowed),
    says: { 'v1.json': { [`${shop}/.git`]: { notes: 'e7d3c0a1'.repeat(8) } } },
  },
  trust: {
    // the folder of the person's own settings
    place: 'fed/trust.json',
    read: (root) => inSettings(root, allTrusted),
    says: {
      'v1.json': [{ root: shop, allows: { checks: {} } }],
    },
  },
  'test-run': {
    place: `${docs}/.fed/test-runs.jsonl`,
    isSealed: true,
    read: (root) => newestTestRun(path.join(root, docs)),
    says: { 'v1.jsonl': { command: 'true', exitCode: 0, uncommitted: [] } },
  },
}

/** What is read where the person's own settings lie in this folder. */
function inSettings<Read>(settings: string, read: () => Read): Read {
  const { XDG_CONFIG_HOME } = process.env
  process.env.XDG_CONFIG_HOME = settings
  try {
    return read()
  } finally {
    process.env.XDG_CONFIG_HOME = XDG_CONFIG_HOME
  }
}
