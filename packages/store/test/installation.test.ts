import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../src/database/open-store.ts'
import {
  confirmInstallation,
  markCopy,
  readInstallation,
  recordInstallation,
} from '../src/operations/installation.ts'
import { type Place, engines } from './support/stores.ts'

describe.each(engines)('the installation of a database on $name', ({ place: newPlace }) => {
  let place: Place
  let store: Store
  beforeEach(async () => {
    place = await newPlace()
    store = await place.open()
  })
  afterEach(() => place.remove())

  const read = () => readInstallation(store.db)

  it('is recorded once, whoever asks later', async () => {
    expect(await read()).toBeUndefined()
    expect(await recordInstallation(store.db, 'one')).toMatchObject({ id: 'one', unconfirmed_ms: 0 })
    expect(await recordInstallation(store.db, 'two')).toMatchObject({ id: 'one' })
  })

  it('is unconfirmed from the first mark on, with its cause', async () => {
    await recordInstallation(store.db, 'one')
    await markCopy(store.db, { cause: 'restored', nowMs: 5 })
    await markCopy(store.db, { cause: 'marked', nowMs: 9 })
    expect(await read()).toMatchObject({ id: 'one', cause: 'restored', unconfirmed_ms: 5 })
  })

  it('can be marked before it is recorded', async () => {
    await markCopy(store.db, { cause: 'moved', nowMs: 5 })
    expect(await recordInstallation(store.db, 'one')).toMatchObject({ id: '', cause: 'moved' })
    expect(await confirmInstallation(store.db, 'one')).toBe(true)
    expect(await read()).toEqual({ id: 'one', predecessor: '', cause: '', unconfirmed_ms: 0 })
  })

  it('remembers of which one it was a copy when it is confirmed by another', async () => {
    await recordInstallation(store.db, 'one')
    await markCopy(store.db, { cause: 'other-installation', nowMs: 5 })
    expect(await confirmInstallation(store.db, 'two')).toBe(true)
    expect(await read()).toEqual({ id: 'two', predecessor: 'one', cause: '', unconfirmed_ms: 0 })
    expect(await confirmInstallation(store.db, 'two')).toBe(false)
  })
})
