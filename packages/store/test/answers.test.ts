import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertUser } from '../src/accounts/user-changes.ts'
import { someUser } from './support/rows.ts'
import { type Place, engines } from './support/stores.ts'

/** A stored value that no query of Tollgate should ever meet. It is rejected, and the store stays usable. */
describe.each(engines)('on $name', ({ place: newPlace }) => {
  let place: Place
  beforeAll(async () => (place = await newPlace()))
  afterAll(() => place.remove())

  it('an unsafe integer in a column that is not money is rejected', async () => {
    const { db } = await place.open()
    await insertUser(db, someUser)
    await sql`update users set inviter_id = 9007199254740993`.execute(db)
    await expect(db.selectFrom('users').select('inviter_id').execute()).rejects.toThrow(/no money column/)
    expect(await db.selectFrom('users').select('username').execute()).toEqual([{ username: 'Alice' }])
  })
})
