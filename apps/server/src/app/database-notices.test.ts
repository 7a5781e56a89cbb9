import { memoryNotices } from '@tollgate/coordination/memory-notices'
import type { Notice } from '@tollgate/coordination/notices'
import { ManualClock } from '@tollgate/kit/clock'
import { recordChange } from '@tollgate/store/operations/changes'
import { openNewStore } from '@tollgate/testkit/new-store'
import type { KyselyPlugin } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type DatabaseNotices, openDatabaseNotices } from './database-notices.ts'

/** What a gateway reads of the database to see changes of other gateways, and how often. */

/** A quarter of the promised second. */
const LOOK_EVERY_MS = 250
let queries: string[] = []
const counter: KyselyPlugin = {
  transformQuery: ({ node }) => {
    queries.push(node.kind)
    return node
  },
  transformResult: async ({ result }) => result,
}
const clock = new ManualClock()
const log = { warn: () => undefined, error: (fields: object) => expect.fail(JSON.stringify(fields)) }
let store: Awaited<ReturnType<typeof openNewStore>>
let notices: DatabaseNotices
let seen: Notice[] = []

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  store = await openNewStore({ sqlitePath: ':memory:' })
  const db = store.db.withPlugin(counter)
  const inner = memoryNotices({ onFailure: (error) => expect.fail(String(error)) })
  notices = await openDatabaseNotices({ notices: inner, db, clock, nodeId: 'this', log })
  seen = []
  notices.subscribe(async (notice) => void seen.push(notice))
  queries = []
})
afterEach(async () => {
  await notices.close()
  await store.close()
  vi.useRealTimers()
})

async function pass(looks: number): Promise<void> {
  for (let look = 0; look < looks; look++) {
    const before = queries.length
    vi.advanceTimersByTime(LOOK_EVERY_MS)
    await vi.waitUntil(() => queries.length > before)
    // The next look begins after this one has ended.
    await vi.waitUntil(() => vi.getTimerCount() > 0)
  }
}

const change = (entity: string, rowId: string, origin: string) =>
  recordChange(store.db, { entity, rowId, origin, nowMs: clock.nowMs() })

test('a gateway reads one row in each look while nothing changes', async () => {
  await pass(8)
  expect(queries).toEqual(Array(8).fill('SelectQueryNode'))
  expect(seen).toEqual([])
})

test('a change of another gateway is announced at the next look, once, and its own are left out', async () => {
  await change('token', '7', 'other')
  await change('token', '8', 'this')
  await pass(3)
  expect(seen).toEqual([{ entity: 'token', id: '7' }])
  expect(queries).toHaveLength(4)
})

test('more changes than one look reads are announced as one that concerns everything', async () => {
  for (let each = 0; each < 201; each++) await change('token', String(each), 'other')
  await pass(1)
  expect(seen).toHaveLength(1)
  expect(seen[0]).not.toHaveProperty('id')
})
