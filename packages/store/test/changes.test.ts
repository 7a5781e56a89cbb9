import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lastChange, listChanges, recordChange, removeOldChanges } from '../src/operations/changes.ts'
import type { Store } from '../src/database/open-store.ts'
import { type Place, engines } from './support/stores.ts'

describe.each(engines)('change notices on $name', ({ place: newPlace }) => {
  let place: Place
  let store: Store
  beforeEach(async () => {
    place = await newPlace()
    store = await place.open()
  })
  afterEach(() => place.remove())

  const note = (rowId: string, nowMs = 1) =>
    recordChange(store.db, { entity: 'token', rowId, origin: 'node a', nowMs })

  it('concurrent changes get consecutive numbers, and a reader misses none of them', async () => {
    const wanted = Array.from({ length: 60 }, (_, index) => String(index))
    const read: string[] = []
    let last = await lastChange(store.db)
    const reading = (async () => {
      while (last < wanted.length) {
        for (const { number, row_id: rowId } of await listChanges(store.db, { after: last, limit: 10 })) {
          expect(number).toBe(last + 1)
          last = number
          read.push(rowId)
        }
      }
    })()
    await Promise.all(wanted.map((rowId) => note(rowId)))
    await reading
    expect(read.toSorted()).toEqual(wanted.toSorted())
  })

  it('removing old changes does not reset the counter', async () => {
    await note('1', 1000)
    await note('2', 2000)
    await removeOldChanges(store.db, 2000)
    expect(await listChanges(store.db, { after: 0, limit: 10 })).toMatchObject([{ number: 2, row_id: '2' }])
    await removeOldChanges(store.db, 9000)
    expect(await lastChange(store.db)).toBe(2)
    await note('3')
    expect(await listChanges(store.db, { after: 2, limit: 10 })).toMatchObject([{ number: 3 }])
  })
})
