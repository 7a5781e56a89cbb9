import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { insertChannel } from '../src/channels/channels.ts'
import { storedContext } from '../src/migrations/22-stored-context.ts'
import { someChannel } from './support/rows.ts'
import { type Place, engines } from './support/stores.ts'

describe.each(engines)('migration 22 (stored context) on $name', ({ place: newPlace }) => {
  let place: Place
  afterEach(() => place.remove())

  it('existing channels allow what they allowed before and keep their other settings', async () => {
    place = await newPlace()
    const { db, traits } = await place.open()
    const proxied = { proxy: 'socks5://127.0.0.1:1080', note: 'a "b" 100%' }
    const settings = [
      '',
      '{}',
      '{ }',
      JSON.stringify(proxied),
      JSON.stringify(proxied, undefined, 2),
      '{"stored_context":false}',
      'no JSON',
    ]
    for (const setting of settings)
      await insertChannel(db, someChannel, () => ({ key_sealed: 'sealed', setting }))
    // A step may be repeated after a crash.
    for (let times = 0; times < 2; times++)
      for (const statement of storedContext.statements(traits)) await sql.raw(statement).execute(db)
    const rows = await db.selectFrom('channels').select('setting').orderBy('id').execute()
    const allowed = { stored_context: 'as_before' }
    expect(rows.slice(0, 6).map(({ setting }) => JSON.parse(setting))).toEqual([
      allowed,
      allowed,
      allowed,
      { ...allowed, ...proxied },
      { ...allowed, ...proxied },
      { stored_context: false },
    ])
    expect(rows[6]).toEqual({ setting: 'no JSON' })
  })
})
