import { affinityRoutes } from '@tollgate/contract/affinity'
import { callSessionRoutes } from '@tollgate/contract/call-session'
import type { UsageLogRow } from '@tollgate/store/tables/logs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type ServiceHarness, actor, openServiceHarness } from './service-harness.ts'

const alice = actor(7)
const bob = actor(8)
const root = actor(1, { role: 100 })

let harness: ServiceHarness

beforeEach(async () => {
  harness = await openServiceHarness()
})
afterEach(() => harness.close())

const now = () => Math.floor(harness.clock.nowMs() / 1000)

async function write(...rows: Partial<UsageLogRow>[]): Promise<void> {
  const plain: UsageLogRow = {
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
    prompt_tokens: 1000,
    completion_tokens: 10,
    use_time: 4,
    duration_ms: 4100,
    first_byte_ms: 300,
    is_stream: 1,
    channel_id: 3,
    group_name: 'default',
    ip: '203.0.113.9',
    other: '{"affinity":"bound","admin_info":{"use_channel":["3"]},"input_content":"secret"}',
    session: 'first',
    client: 'codex',
    client_version: '0.169.0',
    cached_tokens: 900,
    cache_saved: 40n,
  }
  for (const row of rows)
    await harness.store
      .insertInto('logs')
      .values({ ...plain, ...row })
      .execute()
}

it('sessions are listed by their last call, with sums over all of their calls', async () => {
  await write(
    {},
    { session: 'other', client: 'claude-code' },
    { session: null },
    { channel_id: 4, cached_tokens: 0 },
  )
  await write({
    type: 8,
    quota: 0n,
    prompt_tokens: 0,
    completion_tokens: 0,
    cached_tokens: null,
    cache_saved: null,
  })
  await write({ session: 'bobs', user_id: bob.id, username: 'bob' })
  const { data } = await harness.call(callSessionRoutes.listOwn, { as: alice })
  expect(data).toMatchObject({
    total: 2,
    items: [{ session: 'first' }, { session: 'other', client: 'claude-code' }],
  })
  expect(data.items[0]).toMatchObject({
    calls: 2,
    errors: 1,
    quota: 200,
    prompt_tokens: 2000,
    cached_tokens: 900,
    cache_saved: 80,
    client: 'codex',
    client_version: '0.169.0',
    channels: [],
  })
  const all = await harness.call(callSessionRoutes.list, { as: root })
  expect(all.data.items.map(({ session }) => session)).toEqual(['bobs', 'first', 'other'])
  expect(all.data.items[1]?.channels).toMatchObject([
    { channel_id: 3, calls: 2 },
    { channel_id: 4, calls: 1 },
  ])
  const ofBob = await harness.call(callSessionRoutes.list, { as: root, query: { username: 'bob' } })
  expect(ofBob.data).toMatchObject({ total: 1, items: [{ username: 'bob', user_id: 8 }] })
  const ofClient = await harness.call(callSessionRoutes.listOwn, {
    as: alice,
    query: { client: 'claude-code' },
  })
  expect(ofClient.data).toMatchObject({ total: 1, items: [{ session: 'other' }] })
  const later = { start_timestamp: String(now() + 1) }
  expect((await harness.call(callSessionRoutes.listOwn, { as: alice, query: later })).data.total).toBe(0)
})

it('the calls of a session are in order, without texts, and channels are shown to operators only', async () => {
  await write(...Array.from({ length: 103 }, (_, index) => ({ created_at: now() + index })))
  const params = { session: 'first' }
  const { data } = await harness.call(callSessionRoutes.getOwn, { as: alice, params })
  expect(data.session.calls).toBe(103)
  expect(data.calls.map(({ created_at: at }) => at - now())).toEqual(
    Array.from({ length: 100 }, (_, index) => index),
  )
  expect(data.calls[0]).toMatchObject({ channel: 0, other: '{"affinity":"bound"}' })
  const query = { after_id: String(data.calls.at(-1)?.id) }
  const rest = await harness.call(callSessionRoutes.getOwn, { as: alice, params, query })
  expect(rest.data.calls).toHaveLength(3)
  const shown = await harness.call(callSessionRoutes.get, { as: root, params })
  expect(shown.data.calls[0]).toMatchObject({ channel: 3 })
  expect(JSON.stringify(shown.data)).not.toContain('secret')
})

it('a session of somebody else is not found', async () => {
  await write({})
  const asked = { as: bob, params: { session: 'first' } }
  await expect(harness.call(callSessionRoutes.getOwn, asked)).rejects.toMatchObject({ code: 'not_found' })
  const unknown = { as: root, params: { session: 'unknown' } }
  await expect(harness.call(callSessionRoutes.get, unknown)).rejects.toMatchObject({ code: 'not_found' })
})

it('the bindings are counted and cleared as in new-api, and clearing writes an audit row', async () => {
  const { data } = await harness.call(affinityRoutes.cache, { as: root })
  expect(data).toEqual({
    enabled: true,
    total: 0,
    unknown: 0,
    by_rule_name: { session: 0 },
    cache_capacity: 100_000,
    cache_algo: 'lru',
  })
  await expect(harness.call(affinityRoutes.clear, { as: root })).rejects.toMatchObject({
    code: 'affinity_rule_unknown',
  })
  for (const query of [{ all: 'true' }, { rule_name: 'session' }])
    expect((await harness.call(affinityRoutes.clear, { as: root, query })).data).toEqual({ deleted: 0 })
  const audited = await harness.store.selectFrom('audit_log').select(['action', 'entity']).execute()
  expect(audited).toEqual([
    { action: 'remove', entity: 'affinity' },
    { action: 'remove', entity: 'affinity' },
  ])
})

it('the use of the cache by a session is that of the last hour', async () => {
  await write({}, { cached_tokens: 0 }, { created_at: now() - 7200 }, { session: 'other' })
  const query = { rule_name: 'session', using_group: 'default', key_fp: 'first' }
  const { data } = await harness.call(affinityRoutes.usage, { as: root, query })
  expect(data).toMatchObject({
    hit: 1,
    total: 2,
    cached_tokens: 900,
    prompt_tokens: 2000,
    window_seconds: 3600,
  })
  const other = await harness.call(affinityRoutes.usage, {
    as: root,
    query: { ...query, using_group: 'vip' },
  })
  expect(other.data).toMatchObject({ hit: 0, total: 0, last_seen_at: 0 })
})
