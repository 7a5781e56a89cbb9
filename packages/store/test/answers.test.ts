import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertUser } from '../src/users.ts'
import { someUser } from './support/rows.ts'
import { type Place, engines } from './support/stores.ts'

/** What no query of ours should ever find: it is refused, and the store goes on. */
describe.each(engines)('on $name', ({ place: newPlace }) => {
  let place: Place
  beforeAll(async () => (place = await newPlace()))
  afterAll(() => place.remove())

  it('an integer that is no money and that no number carries', async () => {
    const { db } = await place.open()
    await insertUser(db, someUser)
    await sql`update users set inviter_id = 9007199254740993`.execute(db)
    await expect(db.selectFrom('users').select('inviter_id').execute()).rejects.toThrow(/no money column/)
    expect(await db.selectFrom('users').select('username').execute()).toEqual([{ username: 'Alice' }])
  })
})
