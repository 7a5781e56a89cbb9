import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { engines } from './support/stores.ts'

describe.each(engines.filter(({ name }) => name === 'PostgreSQL'))(
  'a session on $name',
  ({ place: newPlace }) => {
    it.each([
      ['synchronous_commit', 'on'],
      ['default_transaction_isolation', 'read committed'],
      // JIT-compiling one plan took longer than ending five hundred holds.
      ['jit', 'off'],
    ])('the setting %s is %s', async (setting, expected) => {
      const place = await newPlace()
      const { db } = await place.open()
      const { rows } = await sql<{ value: string }>`select current_setting(${setting}) as value`.execute(db)
      expect(rows).toEqual([{ value: expected }])
      await place.remove()
    })
  },
)
