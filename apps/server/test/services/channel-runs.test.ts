import { channelRoutes } from '@tollgate/contract/channel'
import { jobRoutes } from '@tollgate/contract/job'
import { endJobRun, startJobRun } from '@tollgate/store/operations/job-runs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { updateAllBalances } from '../../src/services/channel/balance.ts'
import type { KeyProbe, ProbeResult } from '../../src/ports/channel-probe.ts'
import { testAllChannels } from '../../src/services/channel/test-all.ts'
import { type ServiceHarness, actor, openServiceHarness } from './service-harness.ts'
import { CUSTOM, OPENAI } from './fake-upstreams.ts'

const admin = actor(2, { role: 10 })
const KEY = 'sk-0123456789abcdefghijklmnop'

let harness: ServiceHarness

beforeEach(async () => {
  harness = await openServiceHarness()
})
afterEach(() => harness.close())

async function create(body: Record<string, unknown> = {}): Promise<number> {
  const plain = { name: 'main', type: OPENAI, key: KEY, models: 'gpt-4o', group: 'default' }
  return (await harness.call(channelRoutes.create, { as: admin, body: { ...plain, ...body } })).data.id
}

async function read(id: number) {
  return (await harness.call(channelRoutes.get, { as: admin, params: { id } })).data
}

async function setOptions(options: Record<string, string>): Promise<void> {
  for (const [key, value] of Object.entries(options))
    await harness.store
      .insertInto('options')
      .values({ key, value, version: 1, updated_ms: 0, updated_by: 0 })
      .execute()
  await harness.options.reload()
}
const both = { AutomaticDisableChannelEnabled: 'true', AutomaticEnableChannelEnabled: 'true' }

const probed = (parts: Partial<KeyProbe> = {}): KeyProbe => ({
  key: KEY,
  isDisabled: false,
  ok: true,
  message: '',
  evidence: 'none',
  ...parts,
})
const refused = (parts: Partial<KeyProbe> = {}) =>
  probed({ ok: false, message: 'status code 401', evidence: 'certain', ...parts })

function answers(id: number, keys: readonly KeyProbe[], durationMs = 100): void {
  const failure = keys.find(({ ok }) => !ok)
  const result: ProbeResult = { ok: !failure, message: failure?.message ?? '', durationMs, keys }
  harness.outside.probeResults.set(id, result)
}

const left = (amount: unknown) =>
  (harness.outside.answer = { status: 200, body: JSON.stringify({ left: amount }) })
const jobs = async () => (await harness.call(jobRoutes.list, { as: admin })).data

const test = (isAsked = false) =>
  testAllChannels({ ...harness, pauseMs: 0, confirmMs: 0 })({
    isAsked,
    signal: new AbortController().signal,
    report: () => undefined,
  })

describe('the test of all channels', () => {
  it('the test disables refused channels, enables recovered ones, and keeps those disabled by hand', async () => {
    await setOptions(both)
    const [bad, back, byHand] = [await create(), await create(), await create({ status: 2 })]
    await harness.switch.disable({ channelId: back, reason: 'status 401' })
    answers(bad, [refused()])
    answers(back, [probed()])
    answers(byHand, [probed()])
    expect(await test()).toEqual({ tested: 3, failed: 1, disabled: 1, enabled: 1 })
    expect([(await read(bad)).status, (await read(back)).status, (await read(byHand)).status]).toEqual([
      3, 1, 2,
    ])
    expect(JSON.parse((await read(bad)).other_info)).toMatchObject({ status_reason: 'status code 401' })
    expect((await read(back)).other_info).toBe('')
  })

  it('a scheduled test enables nothing after one good test, and a requested one does', async () => {
    await setOptions(both)
    const [flaky, byHand] = [await create(), await create({ status: 2 })]
    await harness.switch.disable({ channelId: flaky, reason: 'status 401' })
    answers(flaky, [probed()])
    answers(byHand, [probed()])
    const good = harness.outside.probeResults.get(flaky)
    const failing: ProbeResult = { ok: false, message: 'no', durationMs: 1, keys: [refused()] }
    let calls = 0
    harness.outside.probeResults.get = (id) => (id === flaky && calls++ % 2 === 1 ? failing : good)
    expect(await test()).toMatchObject({ enabled: 0 })
    expect((await read(flaky)).status).toBe(3)
    calls = 0
    expect(await test(true)).toMatchObject({ enabled: 1 })
    expect([(await read(flaky)).status, (await read(byHand)).status]).toEqual([1, 2])
  })

  it('a scheduled test of a costly channel runs once an hour, and the next one confirms it', async () => {
    await setOptions(both)
    const id = await create()
    harness.outside.costlyChannels.add(id)
    await harness.switch.disable({ channelId: id, reason: 'status 401' })
    answers(id, [probed()])
    harness.clock.advance(10_000)
    expect(await test()).toMatchObject({ tested: 1, enabled: 0 })
    harness.clock.advance(59 * 60_000)
    expect(await test()).toMatchObject({ tested: 0, enabled: 0 })
    harness.clock.advance(60_000)
    expect(await test()).toMatchObject({ tested: 1, enabled: 1 })
    expect((await read(id)).status).toBe(1)
  })

  it('a good test from before the channel was disabled confirms nothing', async () => {
    await setOptions(both)
    const id = await create()
    harness.outside.costlyChannels.add(id)
    answers(id, [probed()])
    await test()
    harness.clock.advance(30 * 60_000)
    await harness.switch.disable({ channelId: id, reason: 'status 401' })
    harness.clock.advance(31 * 60_000)
    expect(await test()).toMatchObject({ tested: 1, enabled: 0 })
  })

  it('the test disables nothing while automatic disabling is off, not even a slow channel', async () => {
    const [slow, bad] = [await create(), await create()]
    answers(slow, [probed()], 60_000)
    answers(bad, [refused()])
    expect(await test()).toMatchObject({ disabled: 0 })
    await setOptions(both)
    await harness.call(channelRoutes.update, { as: admin, body: { id: bad, auto_ban: 0 } })
    expect(await test()).toMatchObject({ disabled: 1 })
    expect([(await read(slow)).status, (await read(bad)).status]).toEqual([3, 1])
  })

  it('the test disables a refused key without its channel, and enables it again when it works', async () => {
    await setOptions(both)
    const other = 'sk-another-key-0123456789abc'
    const id = await create({ key: `${KEY}\n${other}` })
    answers(id, [refused(), probed({ key: other })])
    await test()
    const disabled = () => [...(harness.snapshots.roster().channel(id)?.disabledKeys ?? [])]
    expect([(await read(id)).status, disabled()]).toEqual([1, [0]])
    answers(id, [probed({ key: other }), probed({ isDisabled: true })])
    await test()
    expect(disabled()).toEqual([])
  })

  it('a network failure does not disable a channel', async () => {
    await setOptions(both)
    const id = await create()
    answers(id, [refused({ evidence: 'none', message: 'the request to the upstream failed' })])
    await test()
    expect((await read(id)).status).toBe(1)
  })

  it('the super admin gets a notice of each change, at most twice in ten minutes, and one at the end of a requested test', async () => {
    await setOptions(both)
    await harness.store
      .updateTable('users')
      .set({ role: 100, email: 'root@example.com' })
      .where('id', '=', 7)
      .execute()
    const id = await create()
    for (let round = 0; round < 3; round++) {
      answers(id, [refused()])
      await test()
      answers(id, [probed()])
      await test(round === 0)
    }
    const rows = await harness.store.selectFrom('outbox').select('cause').orderBy('cause').execute()
    expect(rows.map(({ cause }) => cause.replace(/:\d+:/, ':'))).toEqual([
      'channel_test:0',
      `channel_update_${id}_1:0`,
      `channel_update_${id}_1:1`,
      `channel_update_${id}_3:0`,
      `channel_update_${id}_3:1`,
    ])
  })

  it('the test cannot start while one is running, until that one counts as dead', async () => {
    await harness.call(channelRoutes.testAll, { as: admin })
    await expect(harness.call(channelRoutes.testAll, { as: admin })).rejects.toThrow('channel_test_running')
    await startJobRun(harness.store, { name: 'test-channels', nowMs: harness.clock.nowMs() })
    harness.clock.advance(59_000)
    await expect(harness.call(channelRoutes.testAll, { as: admin })).rejects.toThrow('channel_test_running')
    harness.clock.advance(1_000)
    await harness.call(channelRoutes.testAll, { as: admin })
  })
})

describe('balances of channels', () => {
  it('balances are requested for each key with a timeout, and returned with their currency', async () => {
    const id = await create({ key: `${KEY}\nsk-second-key-of-the-channel` })
    left(8.5)
    const { extra } = await harness.call(channelRoutes.updateBalance, { as: admin, params: { id } })
    expect(extra).toEqual({ balance: 17, currency: 'USD' })
    expect(harness.outside.requests.map(({ headers }) => headers?.['authorization'])).toEqual([
      `Bearer ${KEY}`,
      'Bearer sk-second-key-of-the-channel',
    ])
    expect(harness.outside.requests[0]?.timeoutMs).toBe(15_000)
    expect(await read(id)).toMatchObject({ balance: 17, balance_currency: 'USD', version: 1 })
  })

  it.each([
    ['of another type', CUSTOM, 5, 'channel_balance_unsupported'],
    ['that cannot be read', OPENAI, 'x', 'channel_balance_unreadable'],
  ])('balances %s are refused', async (_title, type, amount, code) => {
    const id = await create({ type, base_url: 'https://x.example' })
    left(amount)
    await expect(harness.call(channelRoutes.updateBalance, { as: admin, params: { id } })).rejects.toThrow(
      code,
    )
  })

  it('a channel with an empty balance is disabled only where automatic disabling is on', async () => {
    const [willing, not] = [await create(), await create({ auto_ban: 0 })]
    await create({ type: CUSTOM, base_url: 'https://x.example' })
    left(0)
    const run = updateAllBalances({ ...harness, pauseMs: 0 })
    expect(await run()).toEqual({ asked: 2, failed: 0, disabled: 0 })
    await setOptions(both)
    expect(await run()).toEqual({ asked: 2, failed: 0, disabled: 1 })
    expect([(await read(willing)).status, (await read(not)).status]).toEqual([3, 1])
    harness.outside.answer = { status: 500, body: '' }
    expect(await run()).toEqual({ asked: 1, failed: 1, disabled: 0 })
  })
})

describe('jobs', () => {
  it('jobs are listed with their last run, its result and the next run', async () => {
    expect(await jobs()).toMatchObject([
      { name: 'audit', every_seconds: 60, state: 'idle', started_time: 0, outcome: '' },
    ])
    const nowMs = harness.clock.nowMs()
    const run = { name: 'audit', started_ms: nowMs - 2000, ended_ms: nowMs, next_ms: nowMs + 60_000 }
    await endJobRun(harness.store, { ...run, outcome: 'ok', figures: '{"findings":0}' })
    expect(await jobs()).toMatchObject([
      {
        outcome: 'ok',
        duration_ms: 2000,
        figures: { findings: 0 },
        next_time: Math.floor(nowMs / 1000) + 60,
      },
    ])
  })

  it('a job can be started by hand, with an audit row, unless it is running or unknown', async () => {
    const ask = (name: string) => harness.call(jobRoutes.run, { as: admin, params: { name } })
    await ask('audit')
    expect(await jobs()).toMatchObject([{ state: 'asked' }])
    await expect(ask('audit')).rejects.toThrow('job_running')
    await expect(ask('unknown')).rejects.toThrow('not_found')
    const rows = await harness.store.selectFrom('audit_log').selectAll().execute()
    expect(rows).toMatchObject([{ action: 'run', entity: 'job', entity_id: 'audit' }])
  })
})
