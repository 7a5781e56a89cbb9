import { logRoutes } from '@tollgate/contract/log'
import { usageRoutes } from '@tollgate/contract/usage'
import { interruptedSubject } from '@tollgate/ledger/core/interrupted'
import { waivedSubject } from '@tollgate/ledger/core/waived'
import type { UsageLogRow } from '@tollgate/store/tables/logs'
import { rollUpUsage } from '@tollgate/store/usage/roll-up'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ServiceHarness, actor, openServiceHarness } from './service-harness.ts'

const alice = actor(7)
const root = actor(1, { role: 100 })
const HOUR = 3600

let harness: ServiceHarness
beforeEach(async () => {
  harness = await openServiceHarness()
})
afterEach(() => harness.close())

const now = () => Math.floor(harness.clock.nowMs() / 1000)
const hourAt = (seconds: number) => seconds - (seconds % HOUR)

const plain = (): UsageLogRow => ({
  request_id: null,
  user_id: alice.id,
  created_at: now(),
  type: 2,
  content: '',
  username: 'alice',
  token_id: 1,
  token_name: 'cli',
  model_name: 'gpt-4o',
  quota: 100n,
  prompt_tokens: 30,
  completion_tokens: 20,
  use_time: 1,
  duration_ms: 900,
  first_byte_ms: 300,
  is_stream: 1,
  channel_id: 3,
  group_name: 'default',
  ip: '',
  other: '{"admin_info":{"use_channel":["3"]}}',
})

async function write(...rows: Partial<UsageLogRow>[]): Promise<void> {
  await harness.store
    .insertInto('logs')
    .values(rows.map((row) => ({ ...plain(), ...row })))
    .execute()
}

const read = async () => (await harness.call(usageRoutes.series, { as: root, query: lastDay() })).data
const ownHours = (days: number) =>
  harness.call(usageRoutes.hoursOwn, {
    as: alice,
    query: { start_timestamp: String(now() - days * 86_400), end_timestamp: String(now() + HOUR) },
  })
const rollUp = () => rollUpUsage(harness.store, { nowSeconds: now() })
const lastDay = () => ({ start_timestamp: String(now() - 86_400), end_timestamp: String(now() + HOUR) })

describe('usage over time', () => {
  it('the result is the same before and after the hours are rolled up', async () => {
    await write({ created_at: now() - 3 * HOUR }, { created_at: now() - 3 * HOUR, type: 8, quota: 0n }, {})
    const before = await read()
    expect(await rollUp()).toBe(1)
    expect(await read()).toEqual(before)
    expect(before).toMatchObject({
      step_seconds: HOUR,
      points: [
        { at: hourAt(now() - 3 * HOUR), key: 'gpt-4o', calls: 1, errors: 1, quota: 100, duration_ms: 900 },
        { at: hourAt(now()), calls: 1, errors: 0, prompt_tokens: 30, first_bytes: 1 },
      ],
    })
  })

  it('operators see the known cost of calls, other users do not', async () => {
    await write(
      { created_at: now() - 3 * HOUR, cost: 60n },
      { created_at: now() - 3 * HOUR, quota: 40n },
      { cost: 0n },
    )
    const before = await read()
    await rollUp()
    expect(await read()).toEqual(before)
    expect(before.points.map(({ cost, costed_quota }) => [cost, costed_quota])).toEqual([
      [60, 100],
      [0, 100],
    ])
    const { data } = await harness.call(usageRoutes.seriesOwn, { as: alice, query: lastDay() })
    expect(JSON.stringify(data)).not.toContain('cost')
  })

  it('refunds are subtracted from spending, cost and revenue', async () => {
    await write({ created_at: now() - 3 * HOUR, cost: 60n }, { cost: 60n }, { type: 6, cost: 60n })
    await write({ created_at: now() - 5 * HOUR, type: 6, quota: 30n, cost: 0n }, { type: 6, quota: 30n })
    const before = await read()
    await rollUp()
    expect(await read()).toEqual(before)
    expect(before.points).toMatchObject([
      { at: hourAt(now() - 5 * HOUR), calls: 0, quota: -30, cost: 0, costed_quota: -30 },
      { calls: 1, quota: 100, cost: 60, costed_quota: 100 },
      { at: hourAt(now()), calls: 1, quota: -30, cost: 0, costed_quota: 0 },
    ])
    const { data } = await harness.call(usageRoutes.seriesOwn, { as: alice, query: lastDay() })
    expect(data.points.map(({ calls, quota }) => [calls, quota])).toEqual([
      [0, -30],
      [1, 100],
      [1, -30],
    ])
  })

  it('the ten most expensive models are listed singly, and the others together', async () => {
    await write(
      ...Array.from({ length: 14 }, (_, index) => ({ model_name: `m${index}`, quota: BigInt(index) })),
    )
    const { data } = await harness.call(usageRoutes.series, { as: root, query: lastDay() })
    expect(data.points).toHaveLength(11)
    expect(data.points.filter((point) => point.is_rest)).toMatchObject([{ calls: 4, quota: 0 + 1 + 2 + 3 }])
  })

  it('channels, users and tokens are named', async () => {
    await harness.store.updateTable('logs').set({ channel_id: 3 }).execute()
    await write({})
    const by = async (key: string) =>
      (await harness.call(usageRoutes.series, { as: root, query: { ...lastDay(), by: key } })).data.points[0]
    expect(await by('user')).toMatchObject({ key: '7', label: 'alice' })
    expect(await by('token')).toMatchObject({ key: '1', label: 'cli' })
    expect(await by('channel')).toMatchObject({ key: '3', label: '3' })
  })

  it('the own usage contains nothing about other users and channels', async () => {
    await write({}, { user_id: 8, username: 'alice' })
    const query = { ...lastDay(), by: 'channel', username: 'alice', channel: '3' }
    const { data } = await harness.call(usageRoutes.seriesOwn, { as: alice, query })
    expect(data.points).toMatchObject([{ key: 'gpt-4o', calls: 1 }])
  })

  it.each([
    { start_timestamp: '0' },
    { start_timestamp: '9', end_timestamp: '5' },
    { start_timestamp: '1', end_timestamp: '315360000' },
  ])('a range with too many steps is refused: %j', async (query) => {
    const asked = harness.call(usageRoutes.series, {
      as: root,
      query: { end_timestamp: String(now()), ...query, step: 'hour' },
    })
    await expect(asked).rejects.toThrow('usage_range_too_long')
  })
})

describe('hourly rows for consoles written for new-api', () => {
  it('there is one row for each hour and model, of all users or of one', async () => {
    await write({}, { user_id: 8, username: 'bob' }, { model_name: 'o1' }, { type: 8 })
    const all = await harness.call(usageRoutes.hours, { as: root, query: lastDay() })
    expect(all.data).toEqual([
      expect.objectContaining({
        user_id: 0,
        username: '',
        model_name: 'gpt-4o',
        count: 2,
        quota: 200,
        token_used: 100,
      }),
      expect.objectContaining({ model_name: 'o1', count: 1, created_at: hourAt(now()) }),
    ])
    const one = await harness.call(usageRoutes.hours, { as: root, query: { ...lastDay(), username: 'bob' } })
    expect(one.data).toMatchObject([{ username: 'bob', model_name: 'gpt-4o', count: 1 }])
  })

  it('a range of 30 days and an hour is answered, and a longer one is refused', async () => {
    await write({})
    expect((await ownHours(30)).data).toHaveLength(1)
    await expect(ownHours(40)).rejects.toThrow('usage_span_too_long')
  })

  it('imported hourly sums are used for the time before the log begins, and never counted twice', async () => {
    const before = hourAt(now() - 10 * HOUR)
    const hour = {
      user_id: 7,
      username: 'alice',
      model_name: 'gpt-4',
      calls: 5,
      used_tokens: 50,
      quota: 500n,
    }
    await harness.store
      .insertInto('usage_hours')
      .values([
        { ...hour, hour_at: before },
        { ...hour, hour_at: hourAt(now() - 3 * HOUR) },
      ])
      .execute()
    await write({ created_at: now() - 3 * HOUR })
    await rollUp()
    const { data } = await harness.call(usageRoutes.hoursOwn, { as: alice, query: lastDay() })
    expect(data.map((row) => [row.created_at, row.model_name, row.count])).toEqual([
      [before, 'gpt-4', 5],
      [hourAt(now() - 3 * HOUR), 'gpt-4o', 1],
    ])
  })
})

describe('the usage log as a file', () => {
  it('the file has every row and field, without what the reader may not see', async () => {
    for (let page = 0; page < 6; page++)
      await write(...Array.from({ length: 200 }, () => ({ content: '=1+1, "x"', cost: 30n })))
    const own = await textOf(
      await harness.file(logRoutes.exportOwn, { as: alice, query: { format: 'jsonl' } }),
    )
    const lines = own.trimEnd().split('\n')
    expect(lines).toHaveLength(1200)
    expect(new Set(lines).size).toBe(1200)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      id: 1200,
      quota: 100,
      channel: 0,
      other: '',
      cost: null,
    })
    const csv = await textOf(await harness.file(logRoutes.export, { as: root, query: {} }))
    const [head, first] = csv.split('\r\n')
    expect(head).toMatch(
      /^\uFEFFid,created_at,type,.*,quota,amount,.*,cost,cost_amount,margin,margin_amount$/,
    )
    expect(first).toMatch(/,100,0\.0002,.*,30,0\.00006,70,0\.00014$/)
    expect(first).toMatch(/^1200,\d{4}-\d\d-\d\dT.*"'=1\+1, ""x"""/)
  })

  it('refunds have a negative sign, so that columns can be summed', async () => {
    await write({ cost: 60n }, { type: 6, quota: 30n, cost: 18n }, { type: 6, quota: 30n, cost: 0n })
    const csv = await textOf(await harness.file(logRoutes.export, { as: root, query: {} }))
    const tails = csv.split('\r\n').slice(1, 4)
    expect(tails[0]).toMatch(/,-30,-0\.00006,.*,0,0,-30,-0\.00006$/)
    expect(tails[1]).toMatch(/,-30,-0\.00006,.*,-18,-0\.000036,-12,-0\.000024$/)
    expect(tails[2]).toMatch(/,100,0\.0002,.*,60,0\.00012,40,0\.00008$/)
    const own = await textOf(
      await harness.file(logRoutes.exportOwn, { as: alice, query: { format: 'jsonl' } }),
    )
    expect(own).toContain('"quota":-30')
    const listed = await harness.call(logRoutes.listOwn, { as: alice, query: { type: '6' } })
    expect(listed.data.items.map(({ quota }) => quota)).toEqual([30, 30])
  })

  it('reading stops when the reader disconnects', async () => {
    await write(...Array.from({ length: 200 }, () => ({})))
    const { text } = await harness.file(logRoutes.export, { as: root, query: { format: 'jsonl' } })
    let chunks = 0
    for await (const _chunk of text) {
      chunks++
      break
    }
    expect(chunks).toBe(1)
    expect(await text[Symbol.asyncIterator]().next()).toEqual({ value: undefined, done: true })
  })
})

async function textOf({ text }: { text: AsyncIterable<string> }): Promise<string> {
  let whole = ''
  for await (const chunk of text) whole += chunk
  return whole
}

const interrupted = async (hours: { from: number; until: number }) => {
  const query = {
    start_timestamp: String(now() + hours.from * HOUR),
    end_timestamp: String(now() + hours.until * HOUR),
  }
  const { data } = await harness.call(usageRoutes.interrupted, { as: root, query })
  return data.calls
}

const totalOf = (subject: string, used: bigint, calls: number) => ({ subject, used, calls, last_ms: 0 })
const subjectOf = (hours: number, channelId: number, model: string) =>
  waivedSubject({
    createdMs: (now() + hours * HOUR) * 1000,
    channelId,
    priceJson: JSON.stringify({ model }),
  })

describe('waived amounts', () => {
  it('waived amounts are shown by channel and model in the range, the largest first', async () => {
    await harness.store
      .insertInto('totals')
      .values([
        totalOf(subjectOf(-1, 7, 'gpt-5'), 30n, 1),
        totalOf(subjectOf(0, 7, 'gpt-5'), 20n, 2),
        totalOf(subjectOf(0, 7, 'a:b'), 60n, 1),
        totalOf(subjectOf(-30, 7, 'gpt-5'), 1_000n, 9),
        totalOf('user:1', 99n, 1),
      ])
      .execute()
    const query = { start_timestamp: String(now() - 2 * HOUR), end_timestamp: String(now()) }
    const { data } = await harness.call(usageRoutes.waived, { as: root, query })
    expect(data).toEqual({
      calls: 4,
      quota: 110,
      rows: [
        { channel: 7, channel_name: '', model: 'a:b', calls: 1, quota: 60 },
        { channel: 7, channel_name: '', model: 'gpt-5', calls: 3, quota: 50 },
      ],
    })
  })

  it('the list is empty when nothing was waived', async () => {
    const { data } = await harness.call(usageRoutes.waived, { as: root })
    expect(data).toEqual({ calls: 0, quota: 0, rows: [] })
  })
})

describe('calls interrupted by a crash', () => {
  it('interrupted calls are counted by the hour, and corrected ones are subtracted', async () => {
    const row = (hours: number, calls: number) => ({
      subject: interruptedSubject((now() + hours * HOUR) * 1000),
      used: 0n,
      calls,
      last_ms: 0,
    })
    await harness.store
      .insertInto('totals')
      .values([row(-2, 5), row(0, -1)])
      .execute()
    expect(await interrupted({ from: -2, until: 0 })).toBe(4)
    expect(await interrupted({ from: -20, until: -1 })).toBe(5)
    expect(await interrupted({ from: 0, until: 20 })).toBe(0)
    await expect(
      harness.call(usageRoutes.interrupted, {
        as: root,
        query: { start_timestamp: String(now() - 3 * HOUR) },
      }),
    ).resolves.toMatchObject({ data: { calls: 4 } })
  })
})
