import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { importedHours } from '../src/usage/imported-usage.ts'
import { withTokenUserIds, narrowed, withUserIds } from '../src/logs/pages.ts'
import { removeOldRows, timeToFit } from '../src/logs/retention.ts'
import { insertLogRows } from '../src/logs/rows.ts'
import { insertLogTexts, readLogTexts, removeLogTextsBefore, removeLogTextsOf } from '../src/logs/texts.ts'
import type { LogFilter } from '../src/logs/filter.ts'
import { listLogs, removeLogsBefore, sumLogRows } from '../src/logs/logs.ts'
import type { Store } from '../src/database/open-store.ts'
import type { UsageLogRow } from '../src/tables/logs.ts'
import { freezeUsage, rollUpUsage, usageFrozen, usageThrough } from '../src/usage/roll-up.ts'
import { usageSeries } from '../src/usage/series.ts'
import { partsOf } from '../src/usage/parts.ts'
import { countUsage, sumUsage } from '../src/usage/sums.ts'
import { type Place, engines } from './support/stores.ts'

const HOUR = 3600
const DAY = 24 * HOUR
/** First second of an hour. */
const START = 1_790_000_000 - (1_790_000_000 % HOUR)

const plain: UsageLogRow = {
  request_id: null,
  user_id: 7,
  created_at: START,
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

/** Five hours of calls that vary in every field that a filter can have. */
const calls = Array.from({ length: 300 }, (_, index) => ({
  ...plain,
  created_at: START + index * 60,
  user_id: 7 + (index % 3),
  username: index % 3 === 0 ? 'alice' : `user${index % 3}`,
  token_id: 1 + (index % 2),
  token_name: index % 2 === 0 ? 'cli' : 'ci',
  model_name: ['gpt-4o', 'gpt-4o-mini', 'o1', 'x'.repeat(400)][index % 4] ?? '',
  channel_id: 1 + (index % 5),
  group_name: index % 7 === 0 ? 'vip' : 'default',
  type: index % 11 === 0 ? 8 : 2,
  quota: BigInt(index),
}))

/** Rows within one hour that each form their own cell. */
function crowd(many: number, hourAt: number, quota = 10n): readonly UsageLogRow[] {
  return Array.from({ length: many }, (_, index) => ({
    ...plain,
    user_id: index,
    token_id: index,
    created_at: hourAt + (index % HOUR),
    quota,
  }))
}

const filters: readonly LogFilter[] = [
  {},
  { type: 2 },
  { userId: 7 },
  { username: 'alice', type: 2 },
  { tokenName: 'ci' },
  { modelName: 'gpt-4o' },
  { modelName: 'gpt-4o%' },
  { modelName: '%none%' },
  { modelName: '%4o%', from: START + 90, group: 'vip' },
  { group: 'none' },
  { group: 'none', from: START + 90, until: START + 3 * HOUR },
  { type: 8, group: 'vip' },
  { type: 3 },
  { tokenName: 'ci', modelName: 'o1' },
  { tokenName: 'ci', modelName: 'o1', userId: 7, type: 2 },
  { group: 'vip', channelId: 2 },
  { group: 'vip', until: START + 3 * HOUR + 90 },
  { username: 'user1', modelName: 'o1' },
  { username: 'nobody' },
  { modelName: 'x'.repeat(64) },
  { modelName: 'x'.repeat(255) },
  { modelName: 'x'.repeat(400) },
  { modelName: `${'x'.repeat(300)}%` },
  { types: [2, 8], channelId: 3 },
  { from: START + 90, until: START + 4 * HOUR + 5 },
  { from: START + HOUR, until: START + 2 * HOUR - 1 },
  { from: START + 100, until: START + 200, type: 2 },
  { until: START + 2 * HOUR },
  { from: START + 4 * HOUR + 30 },
  { from: START + 90 * HOUR },
]

/** Tables of sums by user and token with one further key column. */
const pairTables = [
  'usage_owner_groups',
  'usage_owner_model_days',
  'usage_owner_group_days',
  'usage_owner_channel_days',
] as const
const summedTables = [
  'usage_cells',
  'usage_routes',
  'usage_owners',
  'usage_route_days',
  'usage_owner_days',
  ...pairTables,
] as const

describe.each(engines)('hourly usage on $name', ({ place }) => {
  let at: Place
  let store: Store

  beforeAll(async () => {
    at = await place()
    store = await at.open()
  })
  afterEach(async () => {
    await removeSums()
    await store.db.deleteFrom('logs').execute()
  })
  afterAll(() => at.remove())

  /** Runs half an hour after the fourth hour; the fifth hour is not summed yet. */
  const rollUp = () => rollUpUsage(store.db, { nowSeconds: START + 4 * HOUR + 1800 })

  const removeSums = async () => {
    for (const table of [...summedTables, 'log_hours', 'watermarks'] as const)
      await store.db.deleteFrom(table).execute()
  }

  const ids = async (filter: LogFilter) => {
    const rows = await listLogs(store.db, filter, { offset: 0, limit: 500 })
    return rows.map(({ id }) => id)
  }

  it('stored sums, counts and pages agree with the rows for every filter', async () => {
    const withRefunds = calls.map((row, index) => (index % 13 === 0 ? { ...row, type: 6 } : row))
    await insertLogRows(store.db, withRefunds)
    const rows = []
    for (const filter of filters)
      rows.push({ filter, sums: await sumLogRows(store.db, filter), found: await ids(filter) })
    expect(await rollUp()).toBe(4)
    expect(await usageThrough(store.db)).toBe(START + 4 * HOUR)
    for (const { filter, sums, found } of rows) {
      const by = JSON.stringify(filter)
      expect(await sumUsage(store.db, filter), by).toEqual(sums)
      expect(await countUsage(store.db, await withUserIds(store.db, filter), 1000), by).toBe(sums.count)
      const narrow = await narrowed(store.db, filter)
      expect(await ids(narrow), by).toEqual(found)
      const page = await listLogs(store.db, { ...narrow, beforeId: found[20] }, { offset: 5, limit: 7 })
      const rest = found[20] === undefined ? found : found.slice(21)
      expect(
        page.map(({ id }) => id),
        by,
      ).toEqual(rest.slice(5, 12))
    }
  })

  it('finds rows of a username that no longer exists before their hour is summed', async () => {
    await insertLogRows(store.db, [...calls, { ...plain, created_at: START + 5 * HOUR, username: 'gone' }])
    await rollUp()
    const filter = { username: 'gone' }
    expect(await ids(await narrowed(store.db, filter))).toEqual(await ids(filter))
    expect((await narrowed(store.db, filter)).ranges).toEqual([
      { from: START + 4 * HOUR, until: undefined, isBrief: true },
    ])
  })

  it('finds the rows of a rare group page by page, even when ids do not follow times', async () => {
    const mixed = calls.map((_, index) => calls[(index * 7919) % calls.length] ?? plain)
    await insertLogRows(store.db, mixed)
    await rollUp()
    const filter = { group: 'vip' }
    const [narrow, all] = [await narrowed(store.db, filter), await ids(filter)]
    expect(narrow.places?.spots.length).toBeGreaterThan(0)
    for (let offset = 0; offset < all.length; offset += 4) {
      const page = await listLogs(store.db, narrow, { offset, limit: 4 })
      expect(page.map(({ id }) => id)).toEqual(all.slice(offset, offset + 4))
    }
  })

  it('counts each row once when runs are repeated, concurrent or interrupted, and when rows arrive late', async () => {
    await insertLogRows(store.db, calls.slice(0, 200))
    await rollUp()
    await rollUp()
    await Promise.allSettled([rollUp(), rollUp()])
    // The state after a process was killed between an hour and its watermark.
    await store.db
      .updateTable('watermarks')
      .set({ position: START + HOUR })
      .where('name', '=', 'usage-through')
      .execute()
    await rollUp()
    await insertLogRows(store.db, calls.slice(200))
    await rollUp()
    expect(await sumUsage(store.db, {})).toEqual(await sumLogRows(store.db, {}))
    const { cells } = await store.db
      .selectFrom('usage_cells')
      .select((select) => select.fn.sum<string>('calls').as('cells'))
      .executeTakeFirstOrThrow()
    expect(Number(cells)).toBe(240)
  })

  it('sums an hour again when a correction has changed one of its rows', async () => {
    await insertLogRows(store.db, [{ ...plain, request_id: 'late-one', quota: 5n }])
    await rollUp()
    await store.db.insertInto('account').values(account).execute()
    await store.db.updateTable('logs').set({ quota: 80n }).execute()
    await store.db.insertInto('entry').values(correction('late-one')).execute()
    await rollUp()
    expect((await sumUsage(store.db, {})).quota).toBe(80n)
    await store.db.deleteFrom('entry').execute()
    await store.db.deleteFrom('account').execute()
  })

  it('keeps the sums of rows that are removed, even when the cut is within an hour', async () => {
    await insertLogRows(store.db, calls)
    await rollUp()
    const before = await sumUsage(store.db, {})
    const cut = START + HOUR + 600
    await freezeUsage(store.db, cut)
    expect(await usageFrozen(store.db)).toBe(START + 2 * HOUR)
    expect(await removeLogsBefore(store.db, { before: cut, limit: 500 })).toBe(70)
    await insertLogRows(store.db, [{ ...plain, created_at: START + HOUR + 700 }])
    await rollUp()
    expect(await sumUsage(store.db, {})).toEqual(before)
    expect((await sumUsage(store.db, { from: START + HOUR + 60, until: START + 2 * HOUR - 1 })).count).toBe(
      60,
    )
  })

  it('reads a range from whole hours and the rows at its edges', async () => {
    await insertLogRows(store.db, calls)
    await rollUp()
    expect(await partsOf(store.db, { from: START + 90, until: START + 3 * HOUR + 5 })).toEqual({
      summed: [{ table: 'usage_routes', from: START + HOUR, before: START + 3 * HOUR }],
      rows: [
        { from: START + 90, until: START + HOUR - 1, isBrief: true },
        { from: START + 3 * HOUR, until: START + 3 * HOUR + 5, isBrief: true },
      ],
    })
    expect((await partsOf(store.db, { requestId: 'one' })).summed).toEqual([])
  })

  async function expectExact(): Promise<void> {
    const { count, quota } = await sumLogRows(store.db, {})
    expect(await sumUsage(store.db, {})).toMatchObject({ count, quota })
    for (const table of summedTables) {
      const sums = await store.db
        .selectFrom(table)
        .select(({ fn }) => [fn.sum<string>('calls').as('calls'), fn.sum<string>('quota').as('quota')])
        .executeTakeFirstOrThrow()
      expect([table, BigInt(sums.calls), BigInt(sums.quota)]).toEqual([table, BigInt(count), quota])
    }
    const hours = await store.db.selectFrom('log_hours').select('calls').execute()
    expect(hours.reduce((sum, { calls: more }) => sum + more, 0)).toBe(count)
  }

  describe('written in slices', () => {
    const firstDay = Math.ceil(START / DAY) * DAY
    const now = firstDay + 2 * DAY
    /** Kills the run one transaction later each time, until it finishes. Returns the number of kills. */
    async function rollUpThroughCrashes(look: () => Promise<void>): Promise<number> {
      for (let crashes = 0; ; crashes++) {
        let left = crashes
        const mortal = watched(store.db, async () => {
          if (left-- <= 0) throw new Error('killed')
        })
        try {
          await rollUpUsage(mortal, { nowSeconds: now })
          return crashes
        } catch (error) {
          expect(error).toMatchObject({ message: 'killed' })
        }
        await look()
      }
    }

    it('sums count each row once, wherever the run is killed', async () => {
      await insertLogRows(store.db, crowd(220, firstDay))
      await insertLogRows(store.db, crowd(220, firstDay + HOUR))
      const first = await sumLogRows(store.db, {})
      // The sums of an hour are not read before its last slice is written.
      const crashes = await rollUpThroughCrashes(async () =>
        expect(await sumUsage(store.db, {})).toEqual(first),
      )
      expect(crashes).toBeGreaterThan(3)
      await expectExact()
      await insertLogRows(store.db, crowd(300, firstDay, 7n))
      const { quota } = await sumLogRows(store.db, {})
      const late = await rollUpThroughCrashes(async () => {
        const between = (await sumUsage(store.db, {})).quota
        expect(between >= first.quota && between <= quota).toBe(true)
      })
      expect(late).toBeGreaterThan(3)
      await expectExact()
    })

    it('sums count each row once while rows arrive and another process takes over', async () => {
      await insertLogRows(store.db, crowd(700, firstDay))
      let transactions = 0
      const busy = watched(store.db, async () => {
        transactions++
        await insertLogRows(store.db, [{ ...plain, created_at: firstDay + transactions * 60 }])
        if (transactions === 5) await rollUpUsage(store.db, { nowSeconds: now })
      })
      // The other run has done everything.
      expect(await rollUpUsage(busy, { nowSeconds: now })).toBe(0)
      expect(transactions).toBe(5)
      await rollUpUsage(store.db, { nowSeconds: now })
      await expectExact()
    })

    it('an hour that is frozen while its rows are read keeps its sums', async () => {
      await insertLogRows(store.db, crowd(300, firstDay))
      await rollUpUsage(store.db, { nowSeconds: now })
      const before = await sumUsage(store.db, {})
      await insertLogRows(store.db, [{ ...plain, created_at: firstDay + 5 }])
      let transactions = 0
      const cleaned = watched(store.db, async () => {
        if (++transactions !== 2) return
        await freezeUsage(store.db, firstDay + HOUR)
        await removeLogsBefore(store.db, { before: firstDay + HOUR, limit: 500 })
      })
      await rollUpUsage(cleaned, { nowSeconds: now })
      expect(await sumUsage(store.db, {})).toEqual(before)
    })
  })

  describe('daily sums', () => {
    /** Four and a half days with calls in every third hour. */
    const spread = calls.map((row, index) => ({
      ...row,
      created_at: START + Math.floor(index / 8) * 8 * 1300 + (index % 8) * 60,
    }))
    const firstDay = Math.ceil(START / DAY) * DAY
    const end = START + 300 * 1300
    const rollUpAll = () => rollUpUsage(store.db, { nowSeconds: end })
    const month = { from: START + 90, until: end }

    it('reads whole days from daily sums, and the times around them from hours and rows', async () => {
      await insertLogRows(store.db, spread)
      await rollUpAll()
      const { summed } = await partsOf(store.db, { ...month, userId: 7 })
      const days = { from: firstDay, before: firstDay + 4 * DAY }
      const through = await usageThrough(store.db)
      expect(summed).toEqual([
        { table: 'usage_owners', from: START + HOUR, before: days.from },
        { table: 'usage_owner_days', ...days },
        { table: 'usage_owners', from: days.before, before: through },
      ])
      const part = { from: days.from + 60, until: days.before - 60 }
      for (const filter of [month, part, {}, ...filters.map((other) => ({ ...other, ...part }))])
        expect(await sumUsage(store.db, filter)).toEqual(await sumLogRows(store.db, filter))
    })

    it('a daily series by token, user or channel agrees with the rows', async () => {
      const halves = [5.5 * HOUR, 5.75 * HOUR, 9.5 * HOUR, 20.5 * HOUR]
      const days = [0, HOUR, 8 * HOUR, 17 * HOUR, ...halves].map((shiftSeconds) => ({
        seconds: DAY,
        shiftSeconds,
      }))
      const weeks = [3 * DAY, 3 * DAY + 8 * HOUR, 3 * DAY + 5.5 * HOUR].map((shiftSeconds) => ({
        seconds: 7 * DAY,
        shiftSeconds,
      }))
      const inputs = (['token', 'user', 'channel'] as const).flatMap((by) =>
        [...days, ...weeks].map((step) => ({ filter: month, by, step })),
      )
      await insertLogRows(store.db, spread)
      const aroundMidnight = [5.5, 5.75, 9.5, 20.5].flatMap((hours) =>
        [-1, 0, 1, 899, 1799].map((seconds) => firstDay + 2 * DAY + (24 - hours) * HOUR + seconds),
      )
      await insertLogRows(
        store.db,
        aroundMidnight.map((at, index) => ({ ...plain, created_at: at, quota: BigInt(100 + index) })),
      )
      const before = await Promise.all(inputs.map((input) => usageSeries(store.db, input)))
      await rollUpAll()
      const after = await Promise.all(inputs.map((input) => usageSeries(store.db, input)))
      expect(after.map(merged)).toEqual(before.map(merged))
    })

    it('sums a day again when a row arrives late or a run was interrupted', async () => {
      await insertLogRows(store.db, spread)
      let turns = 0
      await rollUpUsage(store.db, { nowSeconds: end, isStopped: () => turns++ > 30 })
      await Promise.allSettled([rollUpAll(), rollUpAll()])
      await rollUpAll()
      await insertLogRows(store.db, [{ ...plain, created_at: firstDay + DAY + 5, quota: 1000n }])
      await rollUpAll()
      for (const filter of [month, { ...month, userId: 7 }])
        expect(await sumUsage(store.db, filter)).toEqual(await sumLogRows(store.db, filter))
      expect((await partsOf(store.db, month)).summed[1]).toMatchObject({ table: 'usage_route_days' })
    })

    it('keys are ranked by charges less refunds, whether summed or not', async () => {
      const rows = [
        { model_name: 'given back', quota: 900n },
        { model_name: 'given back', quota: 900n, type: 6 },
        { model_name: 'kept', quota: 50n },
      ]
      await insertLogRows(
        store.db,
        rows.map((row) => ({ ...plain, ...row })),
      )
      const input = {
        filter: { types: [2, 6] },
        by: 'model',
        step: { seconds: HOUR, shiftSeconds: 0 },
      } as const
      const largest = async () => {
        const points = await usageSeries(store.db, { ...input, keysMax: 1 })
        return [...new Set(points.filter(({ isRest }) => !isRest).map(({ key }) => key))]
      }
      expect(await largest()).toEqual(['kept'])
      await rollUpAll()
      expect(await largest()).toEqual(['kept'])
    })

    describe('by token or user for one model, group or channel', () => {
      const pairs: readonly (readonly [string, LogFilter])[] = [
        ['usage_owner_model_days', { ...month, modelName: 'o1' }],
        ['usage_owner_model_days', { ...month, modelName: 'gpt%' }],
        ['usage_owner_group_days', { ...month, group: 'vip' }],
        ['usage_owner_channel_days', { ...month, channelId: 2, types: [2, 8] }],
        ['usage_cells', { ...month, channelId: 2, modelName: 'o1' }],
      ]
      const inputs = pairs.flatMap(([, filter]) =>
        (['token', 'user'] as const).flatMap((by) =>
          [0, 17 * HOUR].map((shiftSeconds) => ({ filter, by, step: { seconds: DAY, shiftSeconds } })),
        ),
      )

      /** Charts with all keys. Checks that charts with the largest key and the rest add up to the same. */
      async function charts(since?: number) {
        const asked = inputs.map(({ filter, ...input }) => ({
          ...input,
          filter: since === undefined ? filter : { ...filter, from: since },
        }))
        const all = await Promise.all(asked.map((input) => usageSeries(store.db, input)))
        const largest = await Promise.all(
          asked.map((input) => usageSeries(store.db, { ...input, keysMax: 1 })),
        )
        expect(largest.map(merged)).toEqual(all.map((points) => withRest(points, 1)))
        return all.map(merged)
      }

      async function tablesRead() {
        const parts = await Promise.all(pairs.map(([, filter]) => partsOf(store.db, filter, { by: 'user' })))
        return parts.map(({ summed }) => (summed[1] ?? summed[0])?.table)
      }

      it('charts agree with the rows, also after late rows and for a user whose only row is removed', async () => {
        const pair = { ...plain, model_name: 'o1', channel_id: 2, group_name: 'vip' }
        const gone = { ...pair, request_id: 'gone', user_id: 99, username: 'gone', quota: 10_000n }
        await insertLogRows(store.db, [...spread, { ...gone, created_at: firstDay + DAY + 9 }])
        const rows = await charts()
        await rollUpAll()
        expect(await charts()).toEqual(rows)
        expect(await tablesRead()).toEqual(pairs.map(([table]) => table))
        await store.db.deleteFrom('logs').where('request_id', '=', 'gone').execute()
        await insertLogRows(store.db, [{ ...pair, created_at: firstDay + DAY + 5, quota: 5000n }])
        await rollUpAll()
        const summed = await charts()
        await removeSums()
        expect(summed).toEqual(await charts())
      })

      it('sums that an earlier version lacked are built from its cells, also for hours whose rows are gone', async () => {
        await insertLogRows(store.db, spread)
        const from = START + HOUR
        const rows = await charts(from)
        await rollUpAll()
        const before = firstDay + DAY + 1800
        await freezeUsage(store.db, before)
        await removeLogsBefore(store.db, { before, limit: 500 })
        for (const table of pairTables) await store.db.deleteFrom(table).execute()
        const marks = ['usage-groups', 'usage-pair-days']
        await store.db.deleteFrom('watermarks').where('name', 'in', marks).execute()
        expect(await charts(from)).toEqual(rows)
        expect(new Set(await tablesRead())).toEqual(new Set(['usage_cells']))
        let turns = 0
        await rollUpUsage(store.db, { nowSeconds: end, isStopped: () => turns++ > 16 })
        expect(await charts(from)).toEqual(rows)
        await Promise.allSettled([rollUpAll(), rollUpAll()])
        await rollUpAll()
        expect(await charts(from)).toEqual(rows)
        expect(await tablesRead()).toEqual(pairs.map(([table]) => table))
      })
    })
  })

  it('the log is reduced by type and age, or to a given size', async () => {
    await insertLogRows(store.db, calls)
    const before = START + 2 * HOUR
    expect(await removeOldRows(store.db, { types: [8], before, limit: 3 })).toBe(3)
    expect(await removeOldRows(store.db, { types: [8], before, limit: 100 })).toBe(8)
    expect(await removeOldRows(store.db, { types: [8], before, limit: 100 })).toBe(0)
    expect(await timeToFit(store.db, 1_000_000)).toBeUndefined()
    const time = (await timeToFit(store.db, 20_000)) ?? 0
    expect(time).toBeGreaterThan(START + 3 * HOUR)
    await removeOldRows(store.db, { types: [2, 8], before: time, limit: 1000 })
    expect(await timeToFit(store.db, 20_000)).toBeUndefined()
  })

  it('a call keeps its first text until it is removed', async () => {
    const text = (id: string, hours: number, sealed = `sealed ${id}`) => {
      return { request_id: id, user_id: 7, created_at: START + hours * HOUR, sealed }
    }
    await insertLogTexts(store.db, [text('a', 0), text('b', 1), text('c', 2)])
    await insertLogTexts(store.db, [text('a', 3, 'another'), text('d', 3)])
    expect(await readLogTexts(store.db, ['a', 'd', 'unknown'])).toEqual(
      new Map([
        ['a', 'sealed a'],
        ['d', 'sealed d'],
      ]),
    )
    const before = START + 3 * HOUR
    expect(await removeLogTextsBefore(store.db, { before, limit: 2 })).toBe(2)
    expect(await removeLogTextsBefore(store.db, { before, limit: 2 })).toBe(1)
    expect([...(await readLogTexts(store.db, ['a', 'b', 'c', 'd'])).keys()]).toEqual(['d'])
    await insertLogTexts(store.db, [text('e', 3), text('f', 4), { ...text('g', 4), user_id: 8 }])
    const from = await removeLogTextsOf(store.db, { userIds: [7], from: 0, limit: 2 })
    expect(from).toBe(START + 3 * HOUR)
    expect(await removeLogTextsOf(store.db, { userIds: [7], from: from ?? 0, limit: 2 })).toBeUndefined()
    expect([...(await readLogTexts(store.db, ['d', 'e', 'f', 'g'])).keys()]).toEqual(['g'])
    await store.db.deleteFrom('log_texts').execute()
  })

  it('reads the imported hourly sums of an earlier system', async () => {
    const hour = {
      user_id: 7,
      username: 'alice',
      model_name: 'gpt-4',
      hour_at: START,
      calls: 2,
      used_tokens: 9,
      quota: 5n,
    }
    await store.db
      .insertInto('usage_hours')
      .values([hour, { ...hour, user_id: 8, username: 'bob' }])
      .execute()
    const until = START + HOUR
    expect(await importedHours(store.db, { until })).toMatchObject([{ calls: 4, tokens: 18, quota: 10n }])
    expect(await importedHours(store.db, { until, username: 'bob' })).toMatchObject([
      { modelName: 'gpt-4', calls: 2 },
    ])
    expect(await importedHours(store.db, { until: START - 1, userId: 7 })).toEqual([])
    await store.db.deleteFrom('usage_hours').execute()
  })

  const keys = ['model', 'token', 'channel', 'user', 'group'] as const

  it('a series by each key agrees with the rows', async () => {
    await insertLogRows(store.db, calls)
    const step = { seconds: 24 * HOUR, shiftSeconds: HOUR }
    const inputs = keys.map((by) => ({ filter: { from: START + 30, type: 2 }, by, step }))
    const rows = await Promise.all(inputs.map((input) => usageSeries(store.db, input)))
    await rollUp()
    for (const [index, input] of inputs.entries()) {
      const points = rows[index] ?? []
      expect(merged(await usageSeries(store.db, input)), input.by).toEqual(merged(points))
      expect(points.length).toBeGreaterThan(1)
    }
  })

  it('a series by each key keeps the largest keys separate, and the rest is the sum of all others', async () => {
    await insertLogRows(store.db, calls)
    const range = { from: START + 30 }
    const ranges: readonly LogFilter[] = [
      range,
      { ...range, userId: 7 },
      { ...range, modelName: 'o1' },
      { ...range, tokenName: 'ci' },
      { ...range, username: 'alice' },
      { ...range, group: 'vip' },
      { ...range, channelId: 2 },
      { ...range, modelName: 'none' },
    ]
    const inputs = keys.flatMap((by) =>
      ranges.flatMap((filter) =>
        [0, 8 * HOUR].map((shiftSeconds) => ({ filter, by, step: { seconds: DAY, shiftSeconds } })),
      ),
    )
    const expected = []
    for (const input of inputs) {
      const rest = withRest(await usageSeries(store.db, input), 2)
      expect(merged(await usageSeries(store.db, { ...input, keysMax: 2 }))).toEqual(rest)
      expected.push({ input, rest })
    }
    await rollUp()
    for (const { input, rest } of expected) {
      expect(merged(await usageSeries(store.db, { ...input, keysMax: 2 }))).toEqual(rest)
      const filter = await withTokenUserIds(store.db, input)
      expect(merged(await usageSeries(store.db, { ...input, filter, keysMax: 2 }))).toEqual(rest)
    }
  })
})

/** The same database, but `before` is awaited ahead of each transaction. */
function watched(db: Store['db'], before: () => Promise<void>): Store['db'] {
  return new Proxy(db, {
    get(target, name) {
      if (name === 'transaction')
        return () => ({
          execute: async (work: Parameters<ReturnType<typeof db.transaction>['execute']>[0]) => {
            await before()
            return target.transaction().execute(work)
          },
        })
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** The same points, with all but the largest keys combined. */
function withRest(points: Awaited<ReturnType<typeof usageSeries>>, keysMax: number) {
  const costs = new Map<string, bigint>()
  for (const { key, quota } of points) costs.set(key, (costs.get(key) ?? 0n) + quota)
  const kept = [...costs].toSorted(([, left], [, right]) => Number(right - left)).slice(0, keysMax)
  const keys = new Set(kept.map(([key]) => key))
  return merged(
    points.map((point) => (keys.has(point.key) ? point : { ...point, key: '', label: '', isRest: true })),
  )
}

/** Adds up the pieces of each point. Names are cut to 255 characters, as in the sums. */
function merged(points: Awaited<ReturnType<typeof usageSeries>>) {
  const sums = new Map<string, [bigint, number, number]>()
  for (const { at, key, label, quota, calls: count, durationMs } of points) {
    const name = `${at} ${key.slice(0, 255)} ${label}`
    const [units, number, ms] = sums.get(name) ?? [0n, 0, 0]
    sums.set(name, [units + quota, number + count, ms + durationMs])
  }
  return Object.fromEntries([...sums].filter(([, [, number]]) => number !== 0))
}

const account = {
  id: 28,
  kind: 'user',
  owner_id: 7,
  granted: 0n,
  remaining: 0n,
  reserved: 0n,
  used: 0n,
  debt: 0n,
  followed: 0n,
  unlimited: 0,
  version: 0,
} as const

function correction(requestId: string) {
  return {
    op_key: `correction:${requestId}`,
    kind: 'correction',
    request_id: requestId,
    task_id: null,
    user_acct: 28,
    token_acct: null,
    channel_id: null,
    amount: 75n,
    flags: 'late',
    waived: 0n,
    balance_after: null,
    price_json: null,
    usage_json: null,
    note: null,
    created_ms: 0,
  } as const
}
