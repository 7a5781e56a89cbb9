import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Dice, seedOfRun, shortOrLong } from './support/faults.ts'
import type { Tally } from './support/simulator/world-size.ts'
import { World } from './support/simulator/world.ts'

const SEEDS = shortOrLong(100, 10_000)
const FIRST_SEED = seedOfRun()
/** Minimum number of events of each kind over all runs. */
const COUNT_MIN = SEEDS / 20

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
})
afterEach(() => vi.useRealTimers())

it(
  `${SEEDS} simulations of three nodes with random event orders agree with the reference model`,
  { timeout: 3_600_000 },
  async () => {
    const tally: Tally = {
      commands: 0,
      judged: 0,
      recovered: 0,
      allotted: 0,
      folded: 0,
      reclaimed: 0,
      cuts: 0,
      unknownCommits: 0,
      crashes: 0,
      pauses: 0,
      restarts: 0,
      busy: 0,
      retried: 0,
      confirmed: 0,
    }
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
      await new World(new Dice(seed), tally).run().catch((error: unknown) => {
        throw new Error(`the world of seed ${seed} differs (repeat with TOLLGATE_SEED=${seed})`, {
          cause: error,
        })
      })
      vi.clearAllTimers()
    }
    console.log(`${SEEDS} seeds from ${FIRST_SEED}: ${JSON.stringify(tally)}, 0 differences`)
    for (const count of Object.values(tally)) expect(count).toBeGreaterThanOrEqual(COUNT_MIN)
  },
)
