// What tests start as a process of its own, with the library as it is built: `<command> ...`, in a federation.
import { openFederation } from '../../dist/library/index.js'

const [command, ...args] = process.argv.slice(2)
const federation = await openFederation(process.cwd())

/** What somebody else does with a team while another process is stopped: several commits, pausing it at last. */
async function goAhead(id) {
  const team = await federation.team(id)
  for (const subject of ['Mind the gap', 'resume', 'pause', 'resume', 'pause']) {
    await federation.send({ from: 'meta', to: id, type: 'directive', subject, body: subject })
    await team.step()
  }
  await federation.sendMany(
    ['First', 'Second'].map((subject) => ({ from: id, to: 'meta', type: 'question', subject })),
  )
  federation.registry.update((registry) => ({ ...registry, others: (registry.others ?? 0) + 1 }))
}

const commands = {
  sendMany: (from, to, ...subjects) =>
    federation.sendMany(subjects.map((subject) => ({ from, to, type: 'directive', subject, body: subject }))),
  step: async (id) => (await federation.team(id)).step(),
  count: () =>
    federation.registry.update((registry) => ({ ...registry, counted: (registry.counted ?? 0) + 1 })),
  async reset(id, mission) {
    const team = await federation.team(id)
    const present = team.reset(Number(mission), true)
    await team.step()
    return present
  },
  async goAhead(id) {
    await goAhead(id)
    return 'done'
  },
}

process.stdout.write(`${JSON.stringify(await commands[command](...args))}\n`)
