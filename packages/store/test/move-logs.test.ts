import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { insertLogRows } from '../src/logs/rows.ts'
import { moveLogs } from '../src/logs/move-logs.ts'
import { openLogStore } from '../src/database/open-log-store.ts'
import type { Store } from '../src/database/open-store.ts'
import type { UsageLogRow } from '../src/tables/logs.ts'
import { type Place, engines } from './support/stores.ts'

const someLog: UsageLogRow = {
  request_id: null,
  user_id: 1,
  created_at: 1_795_000_000,
  type: 2,
  content: '模型倍率',
  username: 'somebody',
  token_id: 5,
  token_name: 'production',
  model_name: 'gpt-4o-mini',
  quota: 2n ** 53n + 1n,
  prompt_tokens: 17,
  completion_tokens: 34,
  use_time: 3,
  duration_ms: 3120,
  first_byte_ms: 412,
  is_stream: 1,
  channel_id: 3,
  group_name: 'default',
  ip: '203.0.113.7',
  other: '{"a":1}',
}

/** Moves from each engine to the next one, and between two SQLite files. */
const pairs = [
  ...engines.map((from, index) => ({ from, to: engines[(index + 1) % engines.length] })),
  files(),
].flatMap(({ from, to }) => (from && to ? [{ name: `${from.name} to ${to.name}`, from, to }] : []))

function files() {
  const [sqlite] = engines
  return { from: sqlite, to: engines.length > 1 ? sqlite : undefined }
}

describe.each(pairs)('moving the usage log from $name', ({ from, to }) => {
  let places: readonly Place[]
  let main: Store
  let logs: Store

  beforeAll(async () => {
    const [here, there] = [await from.place(), await to.place()]
    places = [here, there]
    main = await here.open()
    logs = await there.open()
  })
  afterEach(async () => {
    for (const { db } of [main, logs]) await db.deleteFrom('logs').execute()
  })
  afterAll(async () => {
    for (const place of places) await place.remove()
  })

  const moveAll = async (): Promise<number> => {
    let moved = 0
    for (let some = await moveLogs(main.db, logs.db); some > 0; some = await moveLogs(main.db, logs.db))
      moved += some
    return moved
  }

  it('moves all rows in order, including rows without a request id, and leaves none behind', async () => {
    const rows = Array.from({ length: 450 }, (_, index) => ({
      ...someLog,
      request_id: index % 9 === 0 ? null : `call-${index}`,
      prompt_tokens: index,
      cost: null,
      session: index % 2 === 0 ? null : `session-${index % 7}`,
      client: 'codex',
      client_version: '0.169.0',
      cached_tokens: index,
      upstream_request_id: `req_${index}`,
      cache_saved: 2n ** 53n - BigInt(index),
    }))
    await insertLogRows(main.db, rows)
    expect(await moveAll()).toBe(450)
    expect(await rowsOf(main)).toEqual([])
    const arrived = await rowsOf(logs)
    expect(arrived.map(({ id: _id, request_id: _name, ...row }) => row)).toEqual(
      rows.map(({ request_id: _name, ...row }) => row),
    )
    expect(await moveAll()).toBe(0)
  })

  it('an interrupted move leaves no duplicate, and a later change replaces the moved row', async () => {
    await insertLogRows(main.db, [{ ...someLog, request_id: 'a' }, someLog])
    // The state after a move that was interrupted between copying and removing.
    const waiting = await rowsOf(main)
    await moveAll()
    await insertLogRows(
      main.db,
      waiting.map(({ id: _id, ...row }) => ({ ...row, request_id: row.request_id ?? 'b', quota: 7n })),
    )
    await moveAll()
    const quotas = (await rowsOf(logs)).map((row) => `${row.request_id === 'a'} ${row.quota}`)
    expect(quotas.toSorted()).toEqual(['false 7', `false ${someLog.quota}`, 'true 7'])
  })

  it('a row that changes during the move keeps the change', async () => {
    await insertLogRows(main.db, [{ ...someLog, request_id: 'recovered', quota: 7n }])
    let isChanged = false
    const change = async (): Promise<void> => {
      if (isChanged) return
      isChanged = true
      await main.db.updateTable('logs').set({ quota: 30n }).execute()
    }
    const late = logs.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        await change()
        return result
      },
    })
    expect(await moveLogs(main.db, late)).toBe(0)
    expect(await moveAll()).toBe(1)
    expect((await rowsOf(logs)).map(({ quota }) => quota)).toEqual([30n])
  })

  it('two concurrent moves leave no duplicates', async () => {
    await insertLogRows(
      main.db,
      Array.from({ length: 100 }, (_, index) => ({ ...someLog, request_id: `call-${index}` })),
    )
    await Promise.allSettled([moveLogs(main.db, logs.db), moveLogs(main.db, logs.db)])
    await moveAll()
    expect(await rowsOf(logs)).toHaveLength(100)
    expect(await rowsOf(main)).toEqual([])
  })
})

/** A second process cannot open a SQLite file anyway. */
const servers = engines.filter(({ server }) => server !== undefined)

it.each(servers)(
  'the main database on $name is rejected as the log database',
  async ({ place: newPlace }) => {
    const place = await newPlace()
    const main = await place.open()
    await expect(openLogStore(main.db, place.options)).rejects.toMatchObject({ reason: 'bad_dsn' })
    expect(await main.db.selectFrom('watermarks').selectAll().execute()).toEqual([])
    await place.remove()
  },
)

function rowsOf({ db }: Store) {
  return db.selectFrom('logs').selectAll().orderBy('id').execute()
}
