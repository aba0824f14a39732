// Proves that a takeover, a move, and a link that brings teams or puts them aside, killed before or after any call, leave
// each team at one site with all its mail once others go on. It fails when a signal, a version or a team is lost or twice.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Point } from '../killing/counted-process.ts'
import { sharedRemote } from '../support/linked-sites.ts'
import { linkLedger } from '../support/ledger.ts'
import { hasServer, NatsServer } from '../support/nats-server.ts'
import { isThorough, seed, someOf } from '../support/thorough.ts'
import { linkScenarios, playLink, World } from './scenarios.ts'

/** So many points of each scenario; all of them in `npm run test:link`. */
const some = isThorough ? Infinity : 1
const stride = Number(process.env.FED_LINK_STRIDE ?? 1)

const keyOf = (scenario: string, { moment, number }: Point) => `${scenario}, ${moment} call ${number}`

describe.skipIf(!hasServer)('with a server', () => {
  let server: NatsServer
  let count = 0

  beforeAll(async () => {
    server = await NatsServer.start()
  })
  afterAll(() => server.kill())

  const newWorld = () => {
    count += 1
    return new World(server.url, `kills${count}`, sharedRemote())
  }

  test.each(someOf(linkScenarios, 2))(
    '$name',
    async (scenario) => {
      const whole = await playLink(newWorld(), scenario)
      expect(whole.faults).toEqual([])
      const calls = whole.calls.length
      const points = Array.from({ length: calls }, (_, index) => index + 1)
        .filter((number) => (number + seed) % stride === 0)
        .map((number) => ({ number, moment: number % 2 === 0 ? ('after' as const) : ('before' as const) }))
      const chosen = (
        points.length <= some ? points : points.filter((_, at) => at === seed % points.length)
      ).filter((point) => !linkLedger.has(keyOf(scenario.name, point)))
      const before = points.length - chosen.length
      const faults: string[] = []
      let killed = 0
      const work = async () => {
        for (let point = chosen.pop(); point !== undefined; point = chosen.pop()) {
          const played = await playLink(newWorld(), scenario, point)
          killed += played.isKilled ? 1 : 0
          faults.push(...played.faults)
          // at once: all points take long
          if (played.faults.length > 0) console.error(played.faults.join('\n'))
          else linkLedger.pass(keyOf(scenario.name, point))
        }
      }
      await Promise.all(Array.from({ length: isThorough ? 4 : 1 }, work))
      console.info(
        `${scenario.name}: ${calls} calls, ${killed} kills, ${before} points not played, seed ${seed}`,
      )
      expect(faults).toEqual([])
    },
    3_600_000,
  )
})
