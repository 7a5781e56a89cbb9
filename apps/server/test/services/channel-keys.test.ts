import { channelRoutes } from '@tollgate/contract/channel'
import { channelKeyRoutes } from '@tollgate/contract/channel-key'
import { channelKeyHash } from '@tollgate/store/channels/keys'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ServiceHarness, actor, openServiceHarness } from './service-harness.ts'
import { OPENAI } from './fake-upstreams.ts'

const admin = actor(2, { role: 10 })
const key = (name: string) => `sk-0123456789-${name}-abcdefghijkl`
const KEYS = ['a', 'b', 'c'].map(key)

let harness: ServiceHarness
let id: number

beforeEach(async () => {
  harness = await openServiceHarness()
  id = await create(KEYS)
})
afterEach(() => harness.close())

async function create(keys: readonly string[]): Promise<number> {
  const body = { name: 'main', type: OPENAI, key: keys.join('\n'), models: 'gpt-4o', group: 'default' }
  return (await harness.call(channelRoutes.create, { as: admin, body })).data.id
}

async function list(query: Record<string, unknown> = {}) {
  const { data, extra } = await harness.call(channelKeyRoutes.list, { as: admin, params: { id }, query })
  return { keys: data, total: extra['total'], extra }
}

const hash = (text: string) => channelKeyHash(id, text)
const inUse = () => {
  const channel = harness.snapshots.roster().channel(id)
  return channel?.keys.filter((_key, place) => !channel.disabledKeys.has(place))
}

function setStatus(keys: readonly string[], status: 1 | 2) {
  const body = { hashes: keys.map(hash), status }
  return harness.call(channelKeyRoutes.setStatus, { as: admin, params: { id }, body })
}

async function refuse(text: string): Promise<void> {
  await harness.switch.disableKey({ channelId: id, key: text, reason: 'status 401' })
}

describe('the keys of a channel', () => {
  it('keys are listed with their status and without the keys themselves', async () => {
    const { keys, total } = await list()
    expect(total).toBe(3)
    expect(keys.map((each) => [each.hash, each.status, each.uses])).toEqual(
      KEYS.map((each) => [hash(each), 1, 0]),
    )
    expect(JSON.stringify(keys)).not.toContain('0123456789')
  })

  it('Unlike new-api: single keys can be disabled by hand', async () => {
    expect((await setStatus([key('a'), 'sk-unknown'], 2)).data).toBe(1)
    expect(inUse()).toEqual([key('b'), key('c')])
    expect((await list({ status: 2 })).extra).toMatchObject({ total: 1, enabled: 2, disabled: 1 })
    await setStatus([key('a')], 1)
    expect(inUse()).toEqual(KEYS)
    await expect(setStatus(['sk-unknown'], 2)).rejects.toThrow('channel_key_unknown')
  })

  it('keys refused by the upstream are disabled singly with the reason, and can be deleted together', async () => {
    await refuse(key('b'))
    expect(inUse()).toEqual([key('a'), key('c')])
    expect((await list({ status: 3 })).keys).toMatchObject([{ hash: hash(key('b')), reason: 'status 401' }])
    const body = { auto_disabled: true }
    expect((await harness.call(channelKeyRoutes.remove, { as: admin, params: { id }, body })).data).toBe(1)
    expect(harness.snapshots.roster().channel(id)?.keys).toEqual([key('a'), key('c')])
    expect((await list()).total).toBe(2)
  })

  it('a channel with only refused keys is not used; enabling it by hand tries the keys again', async () => {
    for (const each of KEYS) await refuse(each)
    expect(harness.snapshots.roster().candidates('default', 'gpt-4o').tiers).toEqual([])
    await harness.switch.disable({ channelId: id, reason: 'no key left' })
    await harness.call(channelRoutes.update, { as: admin, body: { id, status: 1 } })
    expect(inUse()).toEqual(KEYS)
    expect(harness.snapshots.roster().candidates('default', 'gpt-4o').tiers).toHaveLength(1)
  })

  it('the status of a key is kept when other keys are added or removed', async () => {
    await refuse(key('b'))
    const add = { as: admin, params: { id }, body: { key: `${key('a')},${key('d')}` } }
    expect((await harness.call(channelKeyRoutes.add, add)).data).toBe(1)
    expect(inUse()).toEqual([key('a'), key('c'), key('d')])
    await harness.call(channelRoutes.update, {
      as: admin,
      body: { id, key: `${key('b')}\n${key('e')}`, key_mode: 'replace' },
    })
    expect(inUse()).toEqual([key('e')])
    const rows = await harness.store.selectFrom('channel_keys').select('key_hash').execute()
    expect(rows).toEqual([{ key_hash: hash(key('b')) }])
  })

  it('the last key cannot be deleted', async () => {
    const body = { hashes: KEYS.map(hash) }
    const removal = harness.call(channelKeyRoutes.remove, { as: admin, params: { id }, body })
    await expect(removal).rejects.toThrow('channel_last_key')
    expect(harness.snapshots.roster().channel(id)?.keys).toEqual(KEYS)
  })

  it('ten thousand keys can be stored, paged, disabled and selected', async () => {
    const many = Array.from({ length: 10_000 }, (_, place) => key(String(place)))
    id = await create(many)
    expect((await harness.call(channelRoutes.get, { as: admin, params: { id } })).data.key_count).toBe(10_000)
    const { keys, total } = await list({ p: 99, page_size: 100 })
    expect([keys.length, total, keys.at(-1)?.hash]).toEqual([100, 10_000, hash(key('9999'))])
    await setStatus(many.slice(0, 9_999), 2)
    expect(inUse()).toEqual([key('9999')])
    const channel = harness.snapshots.roster().channel(id)
    expect(channel && harness.health.next(channel, 1)).toBe(9_999)
  })

  it('the key rows are deleted with their channel', async () => {
    await refuse(key('a'))
    await harness.call(channelRoutes.remove, { as: admin, params: { id } })
    expect(await harness.store.selectFrom('channel_keys').selectAll().execute()).toEqual([])
  })
})
