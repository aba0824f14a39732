import type { AnyMachineSnapshot } from 'xstate'
import type { TeamContext } from '../../machines/team-event.ts'
import type { CodingContext } from '../../machines/coding.ts'
import type { ConsultantContext } from '../../machines/consultant.ts'
import type { DeliverableContext } from '../../machines/deliverable.ts'
import type { Lifecycle } from '../../src/engine/decide/lifecycle.ts'
import { lifecycleDocument } from '../../src/engine/step/lifecycle-document.ts'
import { Federation } from '../../src/federation/federation.ts'
import { compose } from '../../src/records/signals/compose.ts'
import { Mailbox, type FiledSignal } from '../../src/records/signals/mailbox.ts'
import { deliverAll } from '../../src/records/signals/deliver.ts'
import type { Team } from '../../src/federation/team.ts'
import { newFederation, newFolder, reload } from './federation.ts'
import type { Told } from './life-model.ts'
import type { Sample } from './samples.ts'

/** A team of a real federation; each act opens everything anew, as a process of its own would. */
export class TestTeam {
  readonly root: string
  readonly id: string
  readonly workspace: string

  private constructor(root: string, id: string, workspace: string) {
    this.root = root
    this.id = id
    this.workspace = workspace
  }

  /** Onboards a team, and a second one that can ask it questions. */
  static async begin(archetype: string, root: string = newFederation()): Promise<TestTeam> {
    const federation = new Federation(root)
    const { actor } = await federation.onboard({ domain: 'team', archetype })
    await federation.onboard({ domain: 'peer', archetype: 'deliverable' })
    return new TestTeam(root, 'team', actor.workspace)
  }

  open(): Promise<Team> {
    return reload(this.root, this.id)
  }

  head(): Lifecycle {
    const head = lifecycleDocument(this.workspace).read()
    if (head === undefined) throw new Error(`${this.workspace} has no lifecycle`)
    return head.content
  }

  /** Sends a sample; nobody steps the team. */
  async send({ from, type, subject, body }: Sample): Promise<FiledSignal> {
    const sender = from === 'self' ? this.id : from
    const draft = { from: sender, to: this.id, type, subject, body }
    if (from !== 'stranger') return new Federation(this.root).send(draft)
    const outside = new Mailbox(sender, newFolder('stranger'))
    outside.create()
    const inbox = new Mailbox(this.id, this.workspace)
    const [filed] = await deliverAll([{ signal: compose(draft), from: outside, to: inbox }])
    return filed as FiledSignal
  }

  arrange(sample: Sample): void {
    sample.arrange?.(this.workspace, this.id)
  }

  /** Makes true what the samples say, sends them and steps, one after the other. */
  async walk(samples: readonly Sample[]): Promise<void> {
    for (const sample of samples) {
      this.arrange(sample)
      await this.send(sample)
      await (await this.open()).step()
    }
  }

  isAcknowledged(signal: FiledSignal): boolean {
    const files = new Mailbox(this.id, this.workspace).unacknowledgedFiles()
    return !files.includes(signal.file)
  }

  status(): string | undefined {
    return new Federation(this.root).registry.entry(this.id).status
  }
}

type AnyContext = TeamContext & Partial<CodingContext & ConsultantContext & DeliverableContext>

/** What a context says, without the ids and times by which no two lives are alike. */
export function factsOf({ context }: Pick<AnyMachineSnapshot, 'context'>): Record<string, unknown> {
  const { mission, instructions, failure, question, leftQuestion, figures, testedCommit, base, ...rest } =
    context as AnyContext
  return {
    ...rest,
    mission: mission?.subject ?? null,
    instructions: instructions.map(({ subject, body }) => ({ subject, body })),
    failure: failure === null ? null : { event: failure.event, reason: failure.reason },
    question: question && { from: question.from, subject: question.subject, body: question.body },
    leftQuestion: leftQuestion && {
      from: leftQuestion.from,
      subject: leftQuestion.subject,
      body: leftQuestion.body,
    },
    measured: typeof figures === 'object' && figures !== null,
    tested: typeof testedCommit === 'string',
    target: base?.target,
  }
}

/** A team's history as a model tells it. */
export async function toldBy(team: TestTeam): Promise<Told[]> {
  return (await team.open()).history().map(({ event, outcome, refusal, from, to }) => ({
    event,
    outcome,
    kind: refusal?.kind,
    from,
    to,
  }))
}
