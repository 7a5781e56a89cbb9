import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { insertUser } from '../src/accounts/user-changes.ts'
import { listedFees } from '../src/migrations/56-listed-fees.ts'
import { someUser } from './support/rows.ts'
import { type Place, engines } from './support/stores.ts'

describe.each(engines)('migration 56 (listed fees) on $name', ({ place: newPlace }) => {
  let place: Place
  afterEach(() => place.remove())

  it('a site with users counts new fees, a new site charges them, and a choice is kept', async () => {
    place = await newPlace()
    const { db, traits } = await place.open()
    const migrate = async () => {
      for (const statement of listedFees.statements(traits)) await sql.raw(statement).execute(db)
      const rows = await db
        .selectFrom('options')
        .select('value')
        .where('key', '=', 'ListedFeesCharged')
        .execute()
      return rows.map(({ value }) => value)
    }
    expect(await migrate()).toEqual([])
    for (const name of ['ann', 'ben'])
      await db
        .transaction()
        .execute((transaction) => insertUser(transaction, { ...someUser, username: name }))
    expect(await migrate()).toEqual(['false'])
    // A step may be repeated after a crash.
    expect(await migrate()).toEqual(['false'])
    await db.updateTable('options').set({ value: 'true' }).where('key', '=', 'ListedFeesCharged').execute()
    expect(await migrate()).toEqual(['true'])
  })
})
