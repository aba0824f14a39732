import type { TeamContext } from '../../machines/team-event.ts'
import { profileOf } from '../../src/agents/briefing/agent-profile.ts'
import type { PromptFacts } from '../../src/agents/briefing/prompt-facts.ts'
import { furtherPrompt, launchPrompt } from '../../src/agents/briefing/write-prompt.ts'
import { builtIn } from '../../src/federation/catalogue.ts'
import type { FiledSignal } from '../../src/records/signals/mailbox.ts'

const archetype = builtIn.of('coding')
const at = '2026-11-20T23:05:01.000Z'
const id = '3f2a9b1c-0000-4000-8000-000000000001'
export const mission = { signal: id, at, subject: 'Answer 43', body: '' }
const status: PromptFacts['status'] = {
  team: 'docs',
  domain: 'docs',
  archetype: 'coding',
  agent: 'x',
  state: 'implementing',
  accepts: [{ event: 'report.plan-ready', missing: [] }],
  status: 'active',
  finished: false,
  since: at,
  version: 3,
  missionNumber: 2,
  mission,
  target: 'main',
  instructions: [],
  failure: null,
  question: null,
  waits: false,
  checks: null,
  mailbox: { unacknowledged: 0, misaddressed: 0, quarantined: 0 },
  workspace: '/shop/.fed/worktrees/docs',
  deliverable: 'deliverable.md',
}
export const calm: PromptFacts = {
  status,
  mail: [],
  originOf: () => undefined,
  archetype,
  profile: profileOf(archetype.leadAgent),
  hasTools: true,
  context: { team: 'docs', mission, instructions: [], failure: null } satisfies TeamContext,
  playbook: 'domain-playbook.md',
  skills: ['domain-playbook.md', 'testing-standards.md'],
  schema: undefined,
  lastSession: undefined,
  accepted: [],
  earlier: undefined,
  branch: { name: 'fed/docs', target: 'main' },
  goal: undefined,
  peers: [],
}
const session = {
  mission: 2,
  number: 1,
  at,
  log: '/shop/1.log',
  end: { cause: 'ended', exitCode: 1 },
} as unknown as NonNullable<PromptFacts['lastSession']>
const earlier: NonNullable<PromptFacts['earlier']> = {
  number: 1,
  folder: '/shop/missions/1',
  deliverable: undefined,
  last: { subject: 'Answer 42', body: '', state: 'complete' },
}
export const signal = (words: { subject: string; body: string }): FiledSignal => ({
  id,
  timestamp: at,
  from: 'api',
  to: 'docs',
  type: 'report',
  protocol: 'file-signal-v1',
  file: 'x.json',
  ...words,
})

export const launched = (more: Partial<PromptFacts>) => launchPrompt({ ...calm, ...more })
export const standing = (more: Partial<PromptFacts['status']>) => ({ ...status, ...more })
const ann = (sender = 'ann', isListed = true) => ({
  originOf: () => ({ kind: 'chat' as const, sender, isListed }),
})
const unrecorded = { originOf: () => ({ kind: 'unrecorded' as const }) }
const instruction = (text: string) => ({ ...mission, subject: text, body: text })
const question = (words: { subject: string; body: string }) => ({ signal: id, from: 'api', ...words })

export type Prompt = (text: string) => string

/** Each kind of text that a prompt has from others: the prompt with it, and whose name stands before it. */
export const kinds: Readonly<Record<string, readonly [author: string, prompt: Prompt]>> = {
  'subject of mail': ['api', (text) => launched({ mail: [signal({ subject: text, body: 'b' })] })],
  'body of mail': ['api', (text) => launched({ mail: [signal({ subject: 's', body: text })] })],
  'mail after other mail': [
    'api',
    (text) =>
      launched({ mail: [signal({ subject: '```', body: '<!--' }), signal({ subject: 's', body: text })] }),
  ],
  'subject of a question': [
    'api',
    (text) => launched({ status: standing({ question: question({ subject: text, body: '' }) }) }),
  ],
  'body of a question': [
    'api',
    (text) => launched({ status: standing({ question: question({ subject: 's', body: text }) }) }),
  ],
  'question from a chat': [
    'ann',
    (text) => launched({ status: standing({ question: question({ subject: 's', body: text }) }), ...ann() }),
  ],
  'mission from a chat': [
    'ann',
    (text) => launched({ status: standing({ mission: { ...mission, body: text } }), ...ann() }),
  ],
  'mission from an unknown author': [
    'ann',
    (text) => launched({ status: standing({ mission: { ...mission, body: text } }), ...ann('ann', false) }),
  ],
  'mission that no outbox holds': [
    'unrecorded',
    (text) => launched({ status: standing({ mission: { ...mission, body: text } }), ...unrecorded }),
  ],
  'mail that no outbox holds': [
    'unrecorded',
    (text) => launched({ mail: [signal({ subject: text, body: text })], ...unrecorded }),
  ],
  'instruction from a chat': [
    'ann',
    (text) => launched({ status: standing({ instructions: [instruction(text)] }), ...ann() }),
  ],
  'plan of an earlier session': [
    'docs',
    (text) => launched({ lastSession: session, context: { ...calm.context, plan: text } as TeamContext }),
  ],
  'insights of an earlier session': [
    'docs',
    (text) => launched({ lastSession: session, context: { ...calm.context, insights: text } as TeamContext }),
  ],
  'mail in news': [
    'api',
    (text) => furtherPrompt(status, [signal({ subject: text, body: text })], calm.originOf),
  ],
  'question in news': [
    'api',
    (text) =>
      furtherPrompt(standing({ question: question({ subject: 's', body: text }) }), [], calm.originOf),
  ],
  'instruction from a chat in news': [
    'ann',
    (text) => furtherPrompt(standing({ instructions: [instruction(text)] }), [], ann().originOf),
  ],
}

/** Each name from outside that stands in a sentence of fed's, and how long it may be there. */
export const names: Readonly<Record<string, readonly [longest: number, prompt: Prompt]>> = {
  'who said a mission': [200, (text) => launched(ann(text))],
  'who said a question': [
    200,
    (text) =>
      furtherPrompt(standing({ question: question({ subject: 's', body: '' }) }), [], ann(text).originOf),
  ],
  'subject of an earlier mission': [
    200,
    (text) => launched({ earlier: { ...earlier, last: { subject: text, body: '', state: 'complete' } } }),
  ],
  'state of an earlier mission': [
    200,
    (text) => launched({ earlier: { ...earlier, last: { subject: 'x', body: '', state: text } } }),
  ],
  'file of an earlier deliverable': [
    Infinity,
    (text) => launched({ earlier: { ...earlier, deliverable: text } }),
  ],
  'folder of earlier missions': [
    Infinity,
    (text) => launched({ earlier: { ...earlier, folder: `${text.replaceAll('/', ':')}/1` } }),
  ],
  'file of a log': [Infinity, (text) => launched({ lastSession: { ...session, log: text } })],
  'file of a skill': [Infinity, (text) => launched({ skills: ['domain-playbook.md', text] })],
  'file of a schema': [
    Infinity,
    (text) => launched({ archetype: builtIn.of('deliverable'), branch: undefined, schema: text }),
  ],
  'command of a check': [
    Infinity,
    (text) =>
      launched({
        status: standing({
          checks: {
            configured: [{ name: 'unit', command: text, protects: [], result: null }],
          } as unknown as NonNullable<PromptFacts['status']['checks']>,
        }),
      }),
  ],
}
