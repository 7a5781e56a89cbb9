import { channelRoutes } from '@tollgate/contract/channel'
import { channelInsightRoutes } from '@tollgate/contract/channel-insight'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { noteTrafficJob, pruneTrafficJob } from '../../src/jobs/traffic.ts'
import type { AttemptFailure } from '../../src/relay/stations/attempt/failure.ts'
import { verdictOfProblem } from '../../src/relay/stations/attempt/verdict.ts'
import { type ServiceHarness, actor, openServiceHarness } from './service-harness.ts'
import { CUSTOM, OPENAI } from './fake-upstreams.ts'

const admin = actor(2, { role: 10 })

let harness: ServiceHarness

beforeEach(async () => {
  harness = await openServiceHarness()
})
afterEach(() => harness.close())

async function create(body: Record<string, unknown> = {}): Promise<number> {
  const plain = { name: 'main', type: OPENAI, key: 'sk-a', models: 'gpt-4o', group: 'default' }
  return (await harness.call(channelRoutes.create, { as: admin, body: { ...plain, ...body } })).data.id
}

async function health(...ids: number[]) {
  return (await harness.call(channelInsightRoutes.health, { as: admin, query: { ids: ids.join(',') } })).data
}

async function explain(body: Record<string, unknown>) {
  const { data } = await harness.call(channelInsightRoutes.explain, {
    as: admin,
    body: { model: 'gpt-4o', ...body },
  })
  return data
}

async function standings(body: Record<string, unknown> = {}) {
  return Object.fromEntries((await explain(body)).channels.map((each) => [each.name, each.standing]))
}

describe('health of channels', () => {
  const lost: AttemptFailure = verdictOfProblem('do_request_failed', { detail: 'reset' })
  const bad: AttemptFailure = verdictOfProblem('body_not_json')

  it('health covers the calls of the last hour, persisted or not, of all processes', async () => {
    const { traffic, clock } = harness
    const job = noteTrafficJob({ ...harness, db: harness.store })
    for (const ms of [100, 200, 5000]) traffic.succeeded(7, ms)
    await job.run()
    clock.advance(30 * 60_000)
    traffic.succeeded(7, undefined)
    traffic.failed(7, lost)
    traffic.failed(7, bad)
    const [seven, eight] = await health(7, 8)
    expect(seven).toMatchObject({ succeeded: 4, failed: 1, errors: [{ code: lost.code, detail: 'reset' }] })
    expect(seven?.slices.filter(({ succeeded }) => succeeded > 0)).toHaveLength(2)
    expect(Math.abs((seven?.first_byte_p50 ?? 0) - 200)).toBeLessThan(15)
    expect(Math.abs((seven?.first_byte_p95 ?? 0) - 5000)).toBeLessThan(300)
    expect(eight).toMatchObject({ succeeded: 0, failed: 0, errors: [] })
    clock.advance(24 * 3_600_000)
    expect(await health(7)).toMatchObject([{ succeeded: 1, failed: 1 }])
    expect(await pruneTrafficJob({ db: harness.store, clock }).run()).toEqual({ removed: 1 })
  })

  it('the uses of keys are counted once', async () => {
    const id = await create({ key: 'sk-a\nsk-b' })
    const channel = harness.snapshots.roster().channel(id)
    if (channel) for (const now of [1, 2, 3]) harness.health.next(channel, now)
    const job = noteTrafficJob({ ...harness, db: harness.store })
    await job.run()
    await job.run()
    const rows = await harness.store.selectFrom('channel_keys').select('uses').orderBy('uses').execute()
    expect(rows).toEqual([{ uses: 1 }, { uses: 2 }])
  })
})

describe('explaining the choice of a channel', () => {
  it('every channel with the model is listed with the reason why it is not used', async () => {
    await create({ name: 'off', status: 2 })
    await create({ name: 'elsewhere', group: 'vip' })
    await create({ name: 'prefixed', model_prefix: 'x/', group: 'default' })
    await create({ name: 'nothing to do with it', models: 'o1' })
    const dead = await create({ name: 'dead' })
    await harness.switch.disableKey({ channelId: dead, key: 'sk-a', reason: '401' })
    expect(await standings()).toEqual({
      off: 'disabled',
      elsewhere: 'other-group',
      dead: 'no-key',
      prefixed: 'no-operation',
    })
    expect((await explain({ draws: 10 })).unserved).toBe(10)
  })

  it('the explanation for a user or token names its group and the limit that refuses it', async () => {
    await create()
    const missing = explain({ token_id: 404 })
    await expect(missing).rejects.toThrow('not_found')
    expect((await explain({ group: 'no-such-group' })).refusal).toContain('no-such-group')
    expect(await explain({ user_id: 7 })).toMatchObject({ group: 'default', refusal: '' })
  })

  it('a rule for session affinity is asked about for a token or user, whose session it is', async () => {
    await create()
    const ruled = { affinity_rule: 'project', affinity_value: 'blue' }
    await expect(explain(ruled)).rejects.toThrow('affinity_rule')
    expect(await explain({ ...ruled, user_id: 7 })).toMatchObject({
      affinity: { result: 'none', reason: 'rule' },
    })
  })

  it('a channel whose type lacks the operation is left out, and no upstream is called', async () => {
    await create({ name: 'custom', type: CUSTOM, base_url: 'https://x.example' })
    expect(await standings({ operation: 'embeddings' })).toEqual({ custom: 'no-operation' })
    expect(harness.outside.requests).toEqual([])
  })
})
