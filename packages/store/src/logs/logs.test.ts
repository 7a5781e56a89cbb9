import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LogFilter } from './filter.ts'
import { countLogs, listLogs, removeLogsBefore, sumLogRows } from './logs.ts'
import { type Store, openStore } from '../database/open-store.ts'
import type { UsageLogRow } from '../tables/logs.ts'

let store: Store

beforeEach(async () => {
  store = await openStore({ sqlitePath: ':memory:' })
})
afterEach(() => store.close())

const plain: UsageLogRow = {
  request_id: null,
  user_id: 7,
  created_at: 1000,
  type: 2,
  content: '',
  username: 'alice',
  token_id: 1,
  token_name: 'cli',
  model_name: 'gpt-4o',
  quota: 10n,
  prompt_tokens: 3,
  completion_tokens: 2,
  use_time: 1,
  duration_ms: 900,
  first_byte_ms: 100,
  is_stream: 1,
  channel_id: 5,
  group_name: 'default',
  ip: '',
  other: '',
}

async function write(...rows: Partial<UsageLogRow>[]): Promise<void> {
  for (const row of rows)
    await store.db
      .insertInto('logs')
      .values({ ...plain, ...row })
      .execute()
}

const count = (filter: LogFilter) => countLogs(store.db, filter, 1000)

async function newestTwo(filter: LogFilter): Promise<number[]> {
  const rows = await listLogs(store.db, filter, { offset: 0, limit: 2 })
  return rows.map(({ id }) => id)
}

describe('the usage log', () => {
  it('lists rows newest first, also from below a given id', async () => {
    await write({}, {}, {}, {})
    expect(await newestTwo({})).toEqual([4, 3])
    expect(await newestTwo({ beforeId: 3 })).toEqual([2, 1])
  })

  it('returns the channel name, or null when the channel is gone', async () => {
    await write({})
    const [row] = await listLogs(store.db, {}, { offset: 0, limit: 1 })
    expect(row).toMatchObject({ channel_id: 5, channel_name: null, quota: 10n })
  })

  it('stops counting at the given maximum', async () => {
    await write({}, {}, {})
    expect(await countLogs(store.db, {}, 2)).toBe(2)
    expect(await countLogs(store.db, {}, 10)).toBe(3)
  })

  it.each([
    ['gpt-4o', 1],
    ['gpt-4%', 3],
    ['%mini', 2],
    ['%4o%', 2],
    ['gpt_4o', 0],
    ['gpt%mini', 0],
    ['%', 4],
  ])('matches the model %s exactly, except for a %% at either end', async (modelName, rows) => {
    await write(
      { model_name: 'gpt-4o' },
      { model_name: 'gpt-4o-mini' },
      { model_name: 'gpt-4-mini' },
      { model_name: 'o1' },
    )
    expect(await count({ modelName })).toBe(rows)
  })

  it('filters by inclusive times, user, type, names, channel and request id', async () => {
    await write(
      { created_at: 10, user_id: 1, request_id: 'r1', token_name: 'x' },
      { created_at: 20, channel_id: 9, group_name: 'vip', type: 1, username: 'bob' },
    )
    expect(await count({ from: 10, until: 10 })).toBe(1)
    expect(await count({ from: 11 })).toBe(1)
    expect(await count({ userId: 1 })).toBe(1)
    expect(await count({ requestId: 'r1' })).toBe(1)
    expect(await count({ tokenName: 'x' })).toBe(1)
    expect(await count({ channelId: 9, group: 'vip', type: 1, username: 'bob' })).toBe(1)
  })

  it('sums quota exactly, also above 2^53', async () => {
    const large = 2n ** 53n
    await write({ quota: large }, { quota: 1n }, { quota: 500n, type: 1 })
    expect(await sumLogRows(store.db, { type: 2 })).toEqual({
      quota: large + 1n,
      promptTokens: 6,
      completionTokens: 4,
      count: 2,
      calls: 2,
    })
    expect(await sumLogRows(store.db, { userId: 404 })).toMatchObject({ quota: 0n, count: 0 })
  })

  it('subtracts refunds from the sum and does not count them as calls', async () => {
    await write({ quota: 50n }, { quota: 30n, type: 6 }, { quota: 0n, type: 8 })
    expect(await sumLogRows(store.db, {})).toMatchObject({ quota: 20n, count: 3, calls: 2 })
    expect(await sumLogRows(store.db, { type: 6 })).toMatchObject({ quota: -30n, count: 1, calls: 0 })
  })

  it('removes old rows in slices and no row after the given time', async () => {
    await write({ created_at: 1 }, { created_at: 2 }, { created_at: 99 }, { created_at: 3 })
    expect(await removeLogsBefore(store.db, { before: 50, limit: 2 })).toBe(2)
    expect(await removeLogsBefore(store.db, { before: 50, limit: 2 })).toBe(1)
    expect(await removeLogsBefore(store.db, { before: 50, limit: 2 })).toBe(0)
    expect(await count({})).toBe(1)
  })
})
