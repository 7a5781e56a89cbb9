import { logRoutes } from '@tollgate/contract/log'
import { tokenRoutes } from '@tollgate/contract/token'
import { insertLogTexts, logTextContext, readLogTexts } from '@tollgate/store/logs/texts'
import type { UsageLogRow } from '@tollgate/store/tables/logs'
import { rollUpUsage } from '@tollgate/store/usage/roll-up'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Actor } from '../../src/services/handler.ts'
import { newKey, storeKey } from '../../src/services/token/key.ts'
import { type ServiceHarness, actor, openServiceHarness } from './service-harness.ts'

const alice = actor(7)
const root = actor(1, { role: 100 })

let harness: ServiceHarness

beforeEach(async () => {
  harness = await openServiceHarness()
})
afterEach(() => harness.close())

async function write(...rows: Partial<UsageLogRow>[]): Promise<void> {
  for (const row of rows)
    await harness.store
      .insertInto('logs')
      .values({ ...plain(), ...row })
      .execute()
}

function plain(): UsageLogRow {
  return {
    request_id: null,
    user_id: alice.id,
    created_at: now(),
    type: 2,
    content: '',
    username: 'alice',
    token_id: 1,
    token_name: 'cli',
    model_name: 'gpt-4o',
    quota: 3140n,
    prompt_tokens: 1200,
    completion_tokens: 328,
    use_time: 4,
    duration_ms: 4100,
    first_byte_ms: 300,
    is_stream: 1,
    channel_id: 3,
    group_name: 'default',
    ip: '203.0.113.9',
    other: '{"model_ratio":1.25,"admin_info":{"use_channel":["3"]}}',
  }
}

async function page(query: Record<string, string>) {
  return (await harness.call(logRoutes.list, { as: root, query })).data
}

async function typesOf(query: Record<string, string>) {
  return (await harness.call(logRoutes.listOwn, { as: alice, query })).data.items.map(({ type }) => type)
}

const now = () => Math.floor(harness.clock.nowMs() / 1000)

describe('the own usage log', () => {
  it('rows are selected by user id instead of name, and contain nothing about channels', async () => {
    await write({}, { user_id: 8, username: 'alice' })
    const { data } = await harness.call(logRoutes.listOwn, { as: alice })
    expect(data).toMatchObject({ total: 1, page: 1, page_size: 10 })
    expect(data.items).toMatchObject([
      {
        id: 1,
        user_id: 7,
        quota: 3140,
        channel: 0,
        channel_name: '',
        is_stream: true,
        other: '{"model_ratio":1.25}',
      },
    ])
  })

  it('rows have their real ids, each once, and an empty text instead of null', async () => {
    await harness.store
      .insertInto('logs')
      .values({ ...plain(), id: 1025, other: '' })
      .execute()
    await write({ other: '' })
    const { data } = await harness.call(logRoutes.listOwn, { as: alice })
    expect(data.items.map(({ id, other }) => [id, other])).toEqual([
      [1026, ''],
      [1025, ''],
    ])
  })

  it('filters for other users have no effect', async () => {
    await write({ user_id: 8, username: 'bob' })
    const query = { user_id: '8', username: 'bob' }
    expect((await harness.call(logRoutes.listOwn, { as: alice, query })).data.total).toBe(0)
    expect((await harness.call(logRoutes.statOwn, { as: alice, query })).data.quota).toBe(0)
  })

  it('calls=true lists charged, failed and refunded calls only', async () => {
    await write({ type: 2 }, { type: 7 }, { type: 8 }, { type: 6 })
    expect(await typesOf({ calls: 'true' })).toEqual([6, 8, 2])
    expect(await typesOf({})).toEqual([6, 8, 7, 2])
    expect(await typesOf({ calls: 'true', type: '7' })).toEqual([7])
    expect((await page({ calls: 'true' })).total).toBe(3)
  })

  it('a session and a client are filters, and the session of another user lists nothing', async () => {
    await write({}, { session: 'a', client: 'codex', client_version: '0.169.0', cached_tokens: 1024 })
    await write({ session: 'b', client: 'claude-code', user_id: 8 }, { session: 'a', cache_saved: -5n })
    await rollUpUsage(harness.store, { nowSeconds: now() + 86_400 })
    const listed = async (query: Record<string, string>) =>
      (await harness.call(logRoutes.listOwn, { as: alice, query })).data
    expect(await listed({ session: 'a' })).toMatchObject({
      total: 2,
      items: [
        { session: 'a', client: '', cache_saved: -5 },
        { client: 'codex', client_version: '0.169.0', cached_tokens: 1024, cache_saved: 0 },
      ],
    })
    expect(await listed({ client: 'codex' })).toMatchObject({ total: 1 })
    expect(await listed({ session: 'b' })).toMatchObject({ total: 0, items: [] })
    expect(await page({ session: 'b' })).toMatchObject({ total: 1, items: [{ client: 'claude-code' }] })
    const stat = await harness.call(logRoutes.statOwn, { as: alice, query: { session: 'a' } })
    expect(stat.data).toMatchObject({ count: 2, quota: 6280 })
  })

  it('sums are selected by user id, so that the next owner of a name sees nothing of the previous one', async () => {
    await write({ user_id: 8, username: 'alice' })
    const { data } = await harness.call(logRoutes.statOwn, { as: alice })
    expect(data).toMatchObject({ quota: 0, rpm: 0, tpm: 0, count: 0 })
  })
})

const contents = async (
  route: typeof logRoutes.search | typeof logRoutes.searchOwn,
  as: Actor,
  keyword: string,
) => (await harness.call(route, { as, query: { keyword } })).data.map(({ content }) => content)

describe('searching the usage log', () => {
  it('a number is compared with types and every word with texts, for owners too', async () => {
    await write({ type: 4, content: 'refund of 5' }, { type: 3, content: '4 by hand' }, { content: 'four' })
    await write({ user_id: 8, type: 4, content: 'of another' })
    expect(await contents(logRoutes.search, root, '4')).toEqual(['of another', '4 by hand', 'refund of 5'])
    expect(await contents(logRoutes.search, root, 'of an')).toEqual(['of another'])
    expect(await contents(logRoutes.search, root, '%')).toEqual([])
    expect(await contents(logRoutes.searchOwn, alice, '4')).toEqual(['4 by hand', 'refund of 5'])
    expect(await contents(logRoutes.searchOwn, alice, 'refund')).toEqual(['refund of 5'])
    const [own] = (await harness.call(logRoutes.searchOwn, { as: alice, query: { keyword: 'four' } })).data
    expect(own).toMatchObject({ channel: 0, other: '{"model_ratio":1.25}' })
  })

  it('the log of a token is its newest hundred rows in order, for its owner only', async () => {
    const key = newKey()
    const { create } = tokenRoutes
    await harness.call(create, { as: alice, body: { name: 'mine' } })
    const { id } = await harness.store.selectFrom('tokens').select('id').executeTakeFirstOrThrow()
    await harness.store
      .updateTable('tokens')
      .set(storeKey(key, harness.cipher))
      .where('id', '=', id)
      .execute()
    await write(...Array.from({ length: 101 }, () => ({ token_id: id })), { token_id: id + 1 })
    const ofToken = async (as: Actor, query: Record<string, string>) =>
      (await harness.call(logRoutes.listOfToken, { as, query })).data.map((row) => row.id)
    const newest = Array.from({ length: 100 }, (_, index) => 101 - index)
    expect(await ofToken(alice, { key: `sk-${key}` })).toEqual(newest)
    expect(await ofToken(alice, { token_id: String(id) })).toEqual(newest)
    const queries: Record<string, string>[] = [{ key: `sk-${key}` }, { token_id: String(id) }]
    for (const query of queries) expect(await ofToken(actor(8), query)).toEqual([])
    expect(await ofToken(alice, { key: key.slice(0, 5) })).toEqual([])
    expect(await ofToken(alice, {})).toEqual([])
  })
})

it('sums that cannot be read are an error instead of zeros', async () => {
  await harness.store.schema.dropTable('logs').execute()
  await expect(harness.call(logRoutes.statOwn, { as: alice })).rejects.toThrow()
})

describe('the usage log of all users', () => {
  it('pages start at 1 and have ten rows by default and at most a hundred', async () => {
    await write(...Array.from({ length: 12 }, () => ({})))
    expect((await page({})).items).toHaveLength(10)
    expect((await page({ p: '2' })).items).toHaveLength(2)
    expect((await page({ p: '0' })).items.map(({ id }) => id)[0]).toBe(12)
    expect((await page({ page_size: '100000' })).page_size).toBe(100)
    expect((await page({ before_id: '3', page_size: '1' })).items.map(({ id }) => id)).toEqual([2])
  })

  it('rows contain the channel and admin_info', async () => {
    await write({})
    const { data } = await harness.call(logRoutes.list, { as: root })
    expect(data.items).toMatchObject([{ channel: 3, channel_name: '', username: 'alice' }])
    expect(data.items[0]?.other).toContain('use_channel')
  })

  it('sums cover the range, and rates the last minute whatever the range is', async () => {
    await write({ created_at: now() - 7200 }, { created_at: now() - 30 }, { type: 1, quota: 9n })
    const query = { start_timestamp: String(now() - 8000), end_timestamp: String(now() - 3600) }
    expect((await harness.call(logRoutes.stat, { as: root, query })).data).toEqual({
      quota: 3140,
      rpm: 1,
      tpm: 1528,
      token: 1528,
      prompt_tokens: 1200,
      completion_tokens: 328,
      token_total: 1528,
      token_input: 1200,
      token_output: 328,
      count: 1,
    })
  })
})

const TEN_YEARS = 3650 * 86_400
const range = (from: number, until: number) => ({
  start_timestamp: String(from),
  end_timestamp: String(until),
})
const sums = async (query: Record<string, string>) =>
  (await harness.call(logRoutes.stat, { as: root, query })).data

describe('unusual time ranges', () => {
  it('a range of ten years is answered from rolled-up sums, with the same result as a short one', async () => {
    await write({ created_at: now() - 86_400 }, { created_at: now() - 7200 }, {})
    const [short, long] = [range(now() - 2 * 86_400, now()), range(now() - TEN_YEARS, now() + TEN_YEARS)]
    const before = await Promise.all([page(short), sums(short)])
    await rollUpUsage(harness.store, { nowSeconds: now() })
    expect(await Promise.all([page(long), sums(long)])).toEqual(before)
    expect(before[0]).toMatchObject({ total: 3 })
  })

  it("a range from a browser with a wrong clock is answered literally, and rates use the server's clock", async () => {
    await write({})
    await rollUpUsage(harness.store, { nowSeconds: now() })
    // A clock ten years slow, one ten years fast, and one that was set back in between.
    for (const query of [
      range(now() - TEN_YEARS - 86_400, now() - TEN_YEARS),
      range(now() + TEN_YEARS - 86_400, now() + TEN_YEARS),
      range(now() + 60, now() - 60),
    ]) {
      expect(await page(query)).toMatchObject({ items: [], total: 0 })
      expect(await sums(query)).toMatchObject({ quota: 0, count: 0, rpm: 1 })
    }
    expect(await page(range(now() - 86_400, now() + TEN_YEARS))).toMatchObject({ total: 1 })
  })
})

const exportTrail = () =>
  harness.store.selectFrom('audit_log').selectAll().where('action', '=', 'export').execute()

describe('exporting the usage log', () => {
  it('an export of all users’ log writes an audit row with its filters', async () => {
    await harness.file(logRoutes.export, { as: root, query: { format: 'csv', username: 'alice' } })
    const rows = await exportTrail()
    expect(rows).toMatchObject([{ actor_id: 1, entity: 'log', entity_id: 'several' }])
    expect(JSON.parse(rows[0]?.after_json ?? '')).toEqual({ format: 'csv', username: 'alice' })
  })

  it('an export of the own log writes no audit row', async () => {
    await harness.file(logRoutes.exportOwn, { as: alice, query: { format: 'csv' } })
    expect(await exportTrail()).toEqual([])
  })
})

describe('an export whose reader disconnects', () => {
  it.each(['csv', 'jsonl'] as const)('the export stops reading the log: %s', async (format) => {
    for (let rows = 0; rows < 12; rows++)
      await harness.store
        .insertInto('logs')
        .values(Array.from({ length: 100 }, () => plain()))
        .execute()
    const { text } = await harness.file(logRoutes.export, { as: root, query: { format } })
    const parts = text[Symbol.asyncIterator]()
    let rows = 0
    while (rows < 2) rows += String((await parts.next()).value).split('\n').length - 1
    await harness.store.deleteFrom('logs').execute()
    expect(await parts.return?.(undefined)).toMatchObject({ done: true })
    expect(await parts.next()).toMatchObject({ done: true })
    expect(rows).toBeLessThan(600)
  })
})

describe('deleting old log rows', () => {
  it('only the super admin can delete old rows, in batches and with an audit row', async () => {
    expect(logRoutes.removeOld.access).toBe('root')
    await write({ created_at: 10 }, { created_at: 20 }, {})
    const { data } = await harness.call(logRoutes.removeOld, { as: root, query: { target_timestamp: '20' } })
    expect(data).toBe(1)
    const rows = await harness.store.selectFrom('audit_log').selectAll().execute()
    expect(rows).toMatchObject([{ actor_id: 1, action: 'remove', entity: 'log' }])
    expect(rows[0]?.before_json).toContain('"rows":1')
  })

  it.each([{}, { target_timestamp: '0' }, { target_timestamp: 'yesterday' }])(
    'a target time is required: %j',
    async (query) => {
      const asked = harness.call(logRoutes.removeOld, { as: root, query })
      await expect(asked).rejects.toThrow('log_target_missing')
    },
  )

  it.each([
    ['30 days ago in milliseconds', (seconds: number) => (seconds - 30 * 86_400) * 1000],
    ['in microseconds', (seconds: number) => seconds * 1_000_000],
    ['tomorrow', (seconds: number) => seconds + 86_400],
  ])('a time that is %s removes nothing', async (_name, wrong) => {
    await write({}, { created_at: 10 })
    const query = { target_timestamp: String(wrong(now())) }
    const asked = harness.call(logRoutes.removeOld, { as: root, query })
    await expect(asked).rejects.toThrow(/log_target_/)
    expect((await page({})).items).toHaveLength(2)
  })

  it('rows of hours that are not summed yet stay, and so does what was charged', async () => {
    const hour = now() - (now() % 3600)
    await write({ created_at: hour - 7200 }, { created_at: hour - 7100 }, { created_at: hour + 1 }, {})
    const charged = async () => (await harness.call(logRoutes.stat, { as: root, query: {} })).data.quota
    const before = await charged()
    await harness.call(logRoutes.removeOld, { as: root, query: { target_timestamp: String(now()) } })
    expect((await page({})).items).toHaveLength(2)
    expect(await charged()).toBe(before)
  })
})

const isShown = (items: readonly { other: string }[]) => items[0]?.other.includes('Hello')

describe('kept conversations', () => {
  const said = { output_content: 'Hello', text_kept: { redacted: 0, is_cut: false } }

  async function keep(requestId: string): Promise<void> {
    await write({ request_id: requestId })
    const sealed = harness.cipher.encrypt(JSON.stringify(said), logTextContext(requestId))
    await insertLogTexts(harness.store, [
      { request_id: requestId, user_id: alice.id, created_at: now(), sealed },
    ])
  }

  it.each([
    ['root', { root: true, admin: false, owner: false }],
    ['admin', { root: true, admin: true, owner: false }],
    ['owner', { root: true, admin: true, owner: true }],
  ] as const)('a conversation is shown to those whom the site allows: %s', async (readers, shown) => {
    await harness.store
      .insertInto('options')
      .values({ key: 'log_setting.chat_readers', value: readers, version: 1, updated_ms: 0, updated_by: 0 })
      .execute()
    await harness.options.reload()
    await keep('call-1')
    const list = async (as: Actor) => isShown((await harness.call(logRoutes.list, { as })).data.items)
    const own = await harness.call(logRoutes.listOwn, { as: alice })
    expect({
      root: await list(root),
      admin: await list(actor(2, { role: 10 })),
      owner: isShown(own.data.items),
    }).toEqual(shown)
  })

  it('reading another user’s conversation writes an audit row, reading the own one does not', async () => {
    await keep('call-1')
    await write({ request_id: 'call-2' })
    await harness.call(logRoutes.listOwn, { as: alice })
    const trail = () =>
      harness.store.selectFrom('audit_log').selectAll().where('entity', '=', 'log-text').execute()
    expect(await trail()).toEqual([])
    expect(isShown((await harness.call(logRoutes.list, { as: root })).data.items.slice(-1))).toBe(true)
    expect(await trail()).toMatchObject([
      {
        actor_id: root.id,
        action: 'read',
        entity_id: String(alice.id),
        after_json: `{"users":[${alice.id}],"calls":["call-1"]}`,
      },
    ])
    await harness.call(logRoutes.list, { as: actor(2, { role: 1 }) }).catch(() => undefined)
    expect(await trail()).toHaveLength(1)
  })

  it('a conversation is not shown any more once its user is deleted', async () => {
    await keep('call-1')
    expect(isShown((await harness.call(logRoutes.list, { as: root })).data.items)).toBe(true)
    await harness.store.deleteFrom('audit_log').execute()
    await harness.store.updateTable('users').set({ deleted_ms: 1 }).where('id', '=', alice.id).execute()
    expect(isShown((await harness.call(logRoutes.list, { as: root })).data.items)).toBe(false)
    expect(
      await harness.store.selectFrom('audit_log').selectAll().where('entity', '=', 'log-text').execute(),
    ).toEqual([])
  })

  it('a conversation is in no export, even when another gateway stored it in the row', async () => {
    await keep('call-1')
    await write({ other: '{"input_content":"my secret","model_ratio":1}' })
    const { data } = await harness.call(logRoutes.listOwn, { as: alice })
    expect(data.items.map(({ other }) => other).join()).not.toMatch(/Hello|my secret/)
    const { text } = await harness.file(logRoutes.export, { as: root, query: { format: 'jsonl' } })
    let rows = ''
    for await (const part of text) rows += part
    expect(rows).toContain('model_ratio')
    expect(rows).not.toMatch(/Hello|my secret/)
  })

  it('a conversation is deleted with its log row', async () => {
    await keep('call-1')
    const created_at = now() - 3 * 3600
    await harness.store.updateTable('logs').set({ created_at }).execute()
    await harness.store.updateTable('log_texts').set({ created_at }).execute()
    await harness.call(logRoutes.removeOld, { as: root, query: { target_timestamp: String(now()) } })
    expect(await readLogTexts(harness.store, ['call-1'])).toEqual(new Map())
  })
})

async function readExport(
  route: typeof logRoutes.export | typeof logRoutes.exportOwn,
  as: Actor,
): Promise<string> {
  const { text } = await harness.file(route, { as, query: { format: 'csv' } })
  let all = ''
  for await (const part of text) all += part
  return all
}

describe('the vendor’s id of a request', () => {
  beforeEach(() =>
    write(
      { request_id: 'r1', upstream_request_id: 'req_a' },
      { request_id: 'r2', upstream_request_id: 'req_b' },
      { request_id: 'req_b' },
      {},
    ),
  )

  it.each([
    [{ upstream_request_id: 'req_a' }, ['r1']],
    [{ request_id: 'req_a' }, ['r1']],
    [{ request_id: 'r2' }, ['r2']],
    [{ request_id: 'req_b' }, ['req_b', 'r2']],
    [{ request_id: 'req_b', type: '2' }, ['req_b', 'r2']],
    [{ request_id: 'req_c' }, []],
    [{ upstream_request_id: 'req_b', username: 'alice', channel: '3' }, ['r2']],
  ])('operators find rows by %o', async (query, ids) => {
    const { items, total } = await page(query)
    expect(items.map(({ request_id: id }) => id)).toEqual(ids)
    expect(total).toBe(ids.length)
  })

  it('is shown to operators, and to nobody else', async () => {
    expect((await page({ request_id: 'r1' })).items[0]?.upstream_request_id).toBe('req_a')
    const own = await harness.call(logRoutes.listOwn, { as: alice, query: {} })
    expect(own.data.items.map(({ upstream_request_id: id }) => id)).toEqual(['', '', '', ''])
    const query = { upstream_request_id: 'req_a', request_id: 'req_a' }
    expect((await harness.call(logRoutes.listOwn, { as: alice, query })).data.total).toBe(0)
  })

  it('is a column of the operators’ export', async () => {
    const all = await readExport(logRoutes.export, root)
    expect(all).toMatch(/,upstream_request_id,cost,/)
    expect(all).toMatch(/,req_b,,/)
    expect(await readExport(logRoutes.exportOwn, alice)).not.toContain('req_a')
  })
})
