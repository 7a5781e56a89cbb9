import { logRoutes } from '@tollgate/contract/log'
import { tokenRoutes } from '@tollgate/contract/token'
import { sampleLog } from '@tollgate/testkit/sample-call'
import { openNewStore } from '@tollgate/testkit/new-store'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ServiceHarness, actor, openServiceHarness } from './service-harness.ts'

let harness: ServiceHarness
beforeEach(async () => {
  harness = await openServiceHarness({ searchMs: 500 })
})
afterEach(() => harness.close())

test('a search that takes too long is cancelled with an error, and the next one works', async () => {
  const as = actor(7)
  await harness.call(tokenRoutes.create, { as, body: { name: 'cli' } })
  // The deadline is checked at every row, and this view has infinitely many.
  await sql`alter table tokens rename to stored`.execute(harness.store)
  await sql`create view tokens as with recursive n(x) as (select 1 union all select x + 1 from n)
    select stored.* from n cross join stored`.execute(harness.store)
  const search = () => harness.call(tokenRoutes.search, { as, query: { keyword: 'nobody' } })
  await expect(search()).rejects.toThrow('search_too_long')
  await sql`drop view tokens`.execute(harness.store)
  await sql`alter table stored rename to tokens`.execute(harness.store)
  await expect.poll(async () => (await search().catch(() => undefined))?.data).toEqual([])
})

test('a model pattern has a time limit in the log database, and an exact name has none', async () => {
  const logs = await openNewStore({ sqlitePath: ':memory:' })
  await logs.db
    .insertInto('logs')
    .values({ ...sampleLog('call'), user_id: 7 })
    .execute()
  // The time limit is over before the first row.
  const apart = await openServiceHarness({ searchMs: -1, logs: logs.db })
  const as = actor(7)
  for (const pattern of ['%mini', 'gpt%', '%4o%'])
    for (const route of [logRoutes.listOwn, logRoutes.statOwn])
      await expect(apart.call(route, { as, query: { model_name: pattern } })).rejects.toThrow(
        'search_too_long',
      )
  const named = await apart.call(logRoutes.listOwn, { as, query: { model_name: 'gpt-4o-mini' } })
  expect(named.data).toMatchObject({ total: 1 })
  await apart.close()
  await logs.close()
})
