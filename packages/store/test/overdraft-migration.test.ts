import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { overdrafts } from '../src/migrations/17-overdrafts.ts'
import type { Store } from '../src/database/open-store.ts'
import { accountRow } from './support/rows.ts'
import { type Place, engines } from './support/stores.ts'

describe.each(engines)('migration 17 (overdrafts) on $name', ({ place: newPlace }) => {
  let place: Place
  afterEach(() => place.remove())

  it('sets the exposed amount of open calls and marks users who have paid', async () => {
    place = await newPlace()
    const store = await place.open()
    await writeOldBooks(store)
    for (const statement of overdrafts.statements(store.traits)) await sql.raw(statement).execute(store.db)
    const rows = await store.db
      .selectFrom('account')
      .select(['id', 'exposed', 'paid'])
      .orderBy('id')
      .execute()
    expect(rows).toEqual([
      { id: 4, exposed: 460n, paid: 1 },
      { id: 5, exposed: 0n, paid: 0 },
      { id: 8, exposed: 0n, paid: 0 },
      { id: 12, exposed: 0n, paid: 1 },
      { id: 16, exposed: 0n, paid: 1 },
      { id: 20, exposed: 0n, paid: 1 },
      { id: 24, exposed: 0n, paid: 0 },
    ])
    await expect(store.db.updateTable('account').set({ exposed: -1n }).execute()).rejects.toThrow()
  })
})

async function writeOldBooks({ db }: Store): Promise<void> {
  const held = { granted: 100n, remaining: 60n, reserved: 40n, open_holds: 2 }
  const token = { ...accountRow(1, held), id: 5, kind: 'token' } as const
  await db
    .insertInto('account')
    .values([accountRow(1, held), token, ...[2, 3, 4, 5, 6].map((owner) => accountRow(owner))])
    .execute()
  const hold = {
    user_acct: 4,
    token_acct: 5,
    token_followed: 0,
    checkpoint: 0n,
    price_json: '{}',
    channel_id: null,
    instance_id: 'gone',
    created_ms: 1,
  } as const
  await db
    .insertInto('hold')
    .values([
      { ...hold, id: 'a', amount: 30n, ceiling: 400n },
      { ...hold, id: 'b', amount: 10n, ceiling: 100n },
    ])
    .execute()
  const entry = { token_acct: null, channel_id: null, request_id: null, task_id: null, waived: 0n }
  const grant = { ...entry, balance_after: 1n, price_json: null, usage_json: null, note: null, created_ms: 1 }
  await db
    .insertInto('entry')
    .values([
      { ...grant, op_key: 'topup:1', kind: 'credit', user_acct: 4, amount: 100n, flags: '' },
      { ...grant, op_key: 'adjust:t', kind: 'adjust', user_acct: 5, amount: 100n, flags: '' },
      { ...grant, op_key: 'gift:1:2', kind: 'credit', user_acct: 8, amount: 5n, flags: '' },
      { ...grant, op_key: 'adjust:d', kind: 'adjust', user_acct: 8, amount: -5n, flags: '' },
      { ...grant, op_key: 'redeem:7', kind: 'credit', user_acct: 12, amount: 5n, flags: '' },
      { ...grant, op_key: 'adjust:u', kind: 'adjust', user_acct: 16, amount: 5n, flags: '' },
      { ...grant, op_key: 'import:x:user:5', kind: 'credit', user_acct: 20, amount: 0n, flags: 'opening' },
    ])
    .execute()
  await db.schema.alterTable('account').dropColumn('exposed').execute()
  await db.schema.alterTable('account').dropColumn('paid').execute()
}
