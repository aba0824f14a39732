// What the tests of two at once start as processes of their own: `<act> <root> <gate> <rounds>`. Each does one
// act a round, at the same moment as the other, and tells what became of it.
import { writeSync } from 'node:fs'
import { monitor, openFederation, type Federation } from '../../src/index.ts'
import { Gate } from '../support/gate.ts'

const [act = '', root = '', folder = '', rounds = '1'] = process.argv.slice(2)
const gate = new Gate(folder)

type Act = (federation: Federation, round: number) => unknown

const acts: Record<string, Act> = {
  step: async (federation) =>
    (await (await federation.team('team')).step()).handled.map(({ signal }) => signal),
  monitor: async (federation) => (await monitor(federation)).teams,
  report: async (federation, round) => {
    const team = await federation.team(`team-${round}`)
    const { entry } = await team.tell({ type: 'report', subject: 'mission-planned', body: 'Read src/app.ts' })
    return entry?.outcome
  },
  pause: async (federation) => (await federation.team('team')).pause(),
  resume: async (federation) => (await federation.team('team')).resume(),
  archive: async (federation) => (await federation.team('team')).archive(),
  restore: async (federation) => (await federation.team('team')).restore(),
  reset: async (federation) => (await federation.team('team')).reset(),
  acknowledge: (federation) => {
    const mailbox = federation.mailbox('team')
    return mailbox.all().map(({ id }) => mailbox.acknowledge(id).file)
  },
  onboard: async (federation, round) => {
    const placement = round % 2 === 0 ? 'worktree' : 'directory'
    return (await federation.onboard({ domain: `new-${round}`, archetype: 'deliverable', placement })).id
  },
}

/** The same process goes on from round to round, so that what it remembers is old each time. */
const federation = await openFederation(root)
for (let round = 1; round <= Number(rounds); round += 1) {
  gate.arrive(round)
  try {
    const result = await acts[act]?.(federation, round)
    writeSync(1, `${JSON.stringify({ result })}\n`)
  } catch (error) {
    writeSync(1, `${JSON.stringify({ error: (error as Error).name, message: (error as Error).message })}\n`)
  }
}
gate.arrive(Number(rounds) + 1)
