// Proves that what sites make of a team's line says of every signal the same as a model that remembers who had the team
// when: whatever a site skipped of the line, and however late it judges. It fails when an owner is lost or invented.
import { expect, test } from 'vitest'
import { afterEntry, faultOfSender, type LineEntry } from '../../src/link/line-entry.ts'
import type { KnownTeam } from '../../src/records/sites/known-teams.ts'
import { Random } from '../simulation/random.ts'
import { seed, tries } from '../support/thorough.ts'

const sites = ['a', 'b', 'c']

interface Line {
  readonly entries: { readonly sequence: number; readonly entry: LineEntry }[]
  readonly signals: {
    readonly site: string
    readonly epoch: number
    readonly sequence: number
    readonly counts: boolean
  }[]
}

/** A stream in which sites take a team over, work, give its name back and send by what they believe. */
function play(random: Random): Line {
  const line: Line = { entries: [], signals: [] }
  let known: KnownTeam | undefined
  let owner: { site: string; epoch: number } | undefined
  let version = 0
  /** What each site believes to be its epoch: it may be slow. */
  const believed = new Map<string, number>()
  for (let sequence = 1; sequence <= 60; sequence += 1) {
    const site = random.pick(sites)
    const say = (kind: LineEntry['kind'], at: string, epoch: number) => {
      // only who has read the whole line may append to it
      const entry: LineEntry = {
        ...{ kind, site: at, epoch, version, at: '2026-01-01T00:00:00.000Z' },
        tenures: [...(known?.tenures ?? [])],
      }
      line.entries.push({ sequence, entry })
      known = afterEntry(known, sequence, entry)
    }
    const isGone = known?.isGone === true
    if ((owner === undefined || isGone) && random.chance(0.3)) {
      owner = { site, epoch: (owner?.epoch ?? 0) + 1 }
      say('owner', site, owner.epoch)
      believed.set(site, owner.epoch)
    } else if (owner !== undefined && !isGone && random.chance(0.15)) {
      // taken over by one, or handed over by the other
      owner = { site, epoch: owner.epoch + 1 }
      say('owner', site, owner.epoch)
      if (random.chance(0.7)) believed.set(site, owner.epoch)
    } else if (owner !== undefined && !isGone && random.chance(0.3)) {
      version += 1
      say('version', owner.site, owner.epoch)
      believed.set(owner.site, owner.epoch)
    } else if (owner !== undefined && !isGone && random.chance(0.05)) say('gone', owner.site, owner.epoch)
    else {
      const epoch = believed.get(site) ?? random.integer(1, 3)
      line.signals.push({
        ...{ site, epoch, sequence },
        counts: owner !== undefined && owner.site === site && owner.epoch === epoch,
      })
    }
  }
  return line
}

test('a signal counts as the model says, for whoever saw enough of the line', () => {
  console.info(`seed ${seed}`)
  const random = new Random(seed)
  const seen = { counting: 0, refused: 0, skipped: 0 }
  for (let round = 0; round < tries(6000); round += 1) {
    const { entries, signals } = play(random)
    // somebody who appends to a line learns its last message and may never read those before
    const last = entries.at(-1)
    const read = entries.filter((one) => one === last || random.chance(0.6))
    seen.skipped += entries.length - read.length
    let known: KnownTeam | undefined
    for (const { sequence, entry } of read) known = afterEntry(known, sequence, entry)
    for (const { counts, ...place } of signals) {
      seen[counts ? 'counting' : 'refused'] += 1
      expect({ round, place, counts: faultOfSender(known, place) === undefined }).toEqual({
        ...{ round, place, counts },
      })
    }
  }
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(1000)
})
