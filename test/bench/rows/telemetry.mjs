import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { compared, inTurn, inWords, timed } from '../measure.mjs'
import { newLargeFederation } from '../many-teams.mjs'
import { fed, library, surviving } from '../places.mjs'

/** A collector in this process: it takes everything at once, or never answers. */
async function listen(isSilent) {
  const server = createServer((request, response) => {
    request.resume().on('end', () => isSilent || response.writeHead(200).end())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

/** `fed monitor` as a whole process, with telemetry and without. */
export async function measure({ rounds = 8, teams = 200 }) {
  surviving('power')
  const { openFederation } = await library()
  const federation = await openFederation(await newLargeFederation(teams))
  const ids = federation.registry.read().teams.map(({ domainId }) => domainId)
  const [taking, silent] = [await listen(false), await listen(true)]
  const monitor = (collector) =>
    timed(async () => {
      const child = spawn(process.execPath, [fed, 'monitor'], {
        cwd: federation.root,
        stdio: ['ignore', 'ignore', 'ignore'],
        env: {
          ...process.env,
          FED_TELEMETRY_ENABLED: String(collector !== undefined),
          OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector?.address().port ?? 1}`,
        },
      })
      const [code] = await once(child, 'exit')
      if (code !== 0) throw new Error(`fed monitor exited ${code}`)
    })
  let part = 0
  const tellAll = () =>
    federation.sendMany(
      ids.map((to) => ({
        from: 'meta',
        to,
        type: 'directive',
        subject: `Also part ${(part += 1)}`,
        body: '',
      })),
    )
  const after = (work) => async () => {
    await tellAll()
    return work()
  }
  const row = { rival: 'without telemetry', sense: 'at most' }
  const outcome = (path, pairs) => compared({ path, ...row }, pairs, { describe: inWords })
  try {
    const fresh = await inTurn(
      rounds,
      after(() => monitor(taking)),
      after(() => monitor()),
    )
    const same = await inTurn(
      rounds,
      () => monitor(taking),
      () => monitor(),
    )
    const unanswered = await inTurn(
      rounds,
      () => monitor(silent),
      () => monitor(),
    )
    return [
      outcome(`fed monitor, ${teams} teams with news, telemetry on`, fresh),
      outcome('the same, nothing new', same),
      outcome('the same, a collector that never answers', unanswered),
    ]
  } finally {
    for (const server of [taking, silent]) {
      server.closeAllConnections()
      server.close()
    }
  }
}
