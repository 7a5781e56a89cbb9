import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hasKnownNetwork, noteKnownNetwork, removeOldNetworks } from '../src/accounts/known-networks.ts'
import type { Store } from '../src/database/open-store.ts'
import { type Place, engines } from './support/stores.ts'

const USER = 7

describe.each(engines)('known networks on $name', ({ place: newPlace }) => {
  let place: Place
  let store: Store
  beforeEach(async () => {
    place = await newPlace()
    store = await place.open()
  })
  afterEach(() => place.remove())

  const note = (networkHash: string, nowMs: number, keptMax = 64) =>
    noteKnownNetwork(store.db, { userId: USER, networkHash, nowMs, keptMax })
  const isKnown = (networkHash: string, { userId = USER, sinceMs = 0 } = {}) =>
    hasKnownNetwork(store.db, { userId, networkHash, sinceMs })

  it('a network is known for the user who signed in from it and for no other', async () => {
    await note('home', 1000)
    expect(await isKnown('home')).toBe(true)
    expect(await isKnown('home', { userId: 8 })).toBe(false)
    expect(await isKnown('elsewhere')).toBe(false)
  })

  it('a later sign-in extends the time for which a network is known', async () => {
    await note('home', 1000)
    expect(await isKnown('home', { sinceMs: 1500 })).toBe(false)
    await note('home', 2000)
    expect(await isKnown('home', { sinceMs: 1500 })).toBe(true)
    await removeOldNetworks(store.db, 2000)
    expect(await isKnown('home')).toBe(true)
    await removeOldNetworks(store.db, 2001)
    expect(await isKnown('home')).toBe(false)
  })

  it('a user keeps only the latest networks', async () => {
    for (const [index, name] of ['first', 'second', 'third'].entries()) await note(name, 1000 + index, 2)
    expect(await Promise.all(['first', 'second', 'third'].map((name) => isKnown(name)))).toEqual([
      false,
      true,
      true,
    ])
  })

  it('concurrent sign-ins from one network leave one row', async () => {
    await Promise.all(Array.from({ length: 8 }, (_, index) => note('home', 1000 + index)))
    const rows = await store.db.selectFrom('known_networks').selectAll().execute()
    expect(rows).toHaveLength(1)
  })
})
