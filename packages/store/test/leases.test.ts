import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { releaseLease, takeLease } from '../src/operations/leases.ts'
import type { Store } from '../src/database/open-store.ts'
import { type Place, engines } from './support/stores.ts'

const MINUTE_MS = 60_000
const NAME = 'jobs'

describe.each(engines)('leases on $name', ({ place: newPlace }) => {
  let place: Place
  let store: Store
  beforeEach(async () => {
    place = await newPlace()
    store = await place.open()
  })
  afterEach(() => place.remove())

  const take = (holder: string, leaseMs = MINUTE_MS) => takeLease(store.db, { name: NAME, holder, leaseMs })

  it('a lease has one holder at a time, who may renew it', async () => {
    expect(await take('a')).toBe(true)
    expect(await take('b')).toBe(false)
    expect(await take('a')).toBe(true)
    expect(await takeLease(store.db, { name: 'other', holder: 'b', leaseMs: MINUTE_MS })).toBe(true)
  })

  it('exactly one of many concurrent takers gets the lease, every time', async () => {
    const holders = Array.from({ length: 20 }, (_, index) => `node ${index}`)
    for (let round = 0; round < 5; round++) {
      const taken = await Promise.all(holders.map((holder) => take(holder)))
      const winners = holders.filter((_, index) => taken[index])
      expect(winners).toHaveLength(1)
      await releaseLease(store.db, { name: NAME, holder: winners[0] ?? '' })
    }
  })

  it('only the holder can release a lease', async () => {
    await take('a')
    await releaseLease(store.db, { name: NAME, holder: 'b' })
    expect(await take('b')).toBe(false)
    await releaseLease(store.db, { name: NAME, holder: 'a' })
    expect(await take('b')).toBe(true)
  })

  it('an expired lease can be taken by another holder', async () => {
    await take('a', 0)
    expect(await take('b')).toBe(true)
    expect(await take('a')).toBe(false)
  })

  it('the end of a lease is counted by the clock of the database', async () => {
    await take('a')
    const { until_ms: untilMs } = await store.db.selectFrom('lease').selectAll().executeTakeFirstOrThrow()
    expect(Math.abs(untilMs - Date.now() - MINUTE_MS)).toBeLessThan(MINUTE_MS / 2)
  })
})
