import { channelRoutes } from '@tollgate/contract/channel'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ServiceHarness, actor, openServiceHarness } from './service-harness.ts'
import { OPENAI } from './fake-upstreams.ts'

const admin = actor(2, { role: 10 })
const KEY = 'sk-0123456789abcdefghijklmnop'

let harness: ServiceHarness

beforeEach(async () => {
  harness = await openServiceHarness()
})
afterEach(() => harness.close())

const plain = { name: 'main', type: OPENAI, key: KEY, models: 'gpt-4o,o1', group: 'default' }

async function create(body: Record<string, unknown> = {}): Promise<number> {
  return (await harness.call(channelRoutes.create, { as: admin, body: { ...plain, ...body } })).data.id
}

async function read(id: number) {
  return (await harness.call(channelRoutes.get, { as: admin, params: { id } })).data
}

async function list(query: Record<string, string> = {}) {
  return (await harness.call(channelRoutes.list, { as: admin, query })).data
}

const isServed = (model: string) => harness.snapshots.roster().candidates('default', model).tiers.length > 0

describe('deleting', () => {
  it('deleting a channel takes it out of service; a second time it is not found', async () => {
    const id = await create()
    await harness.call(channelRoutes.remove, { as: admin, params: { id } })
    expect(isServed('gpt-4o')).toBe(false)
    const again = harness.call(channelRoutes.remove, { as: admin, params: { id } })
    await expect(again).rejects.toThrow('not_found')
  })

  it('deleting a selection returns the number deleted', async () => {
    const ids = [await create(), await create(), 404]
    expect((await harness.call(channelRoutes.removeBatch, { as: admin, body: { ids } })).data).toBe(2)
  })

  it('deleting disabled channels spares those disabled automatically in the last hour', async () => {
    const ids = [await create(), await create(), await create(), await create()]
    const now = Math.floor(harness.clock.nowMs() / 1000)
    const rows = [
      { status: 1, other_info: '' },
      { status: 2, other_info: '' },
      { status: 3, other_info: `{"status_reason":"x","status_time":${now - 60}}` },
      { status: 3, other_info: `{"status_reason":"x","status_time":${now - 7200}}` },
    ]
    for (const [index, row] of rows.entries())
      await harness.store
        .updateTable('channels')
        .set(row)
        .where('id', '=', ids[index] ?? 0)
        .execute()
    expect((await harness.call(channelRoutes.removeDisabled, { as: admin })).data).toBe(2)
    expect((await list({ id_sort: '1' })).map(({ id }) => id)).toEqual([ids[2], ids[0]])
  })
})

it.each([channelRoutes.removeBatch, channelRoutes.tagBatch, channelRoutes.statusBatch])(
  '$path refuses an empty selection',
  async (route) => {
    await create()
    for (const ids of [[], undefined, null])
      await expect(harness.call(route, { as: admin, body: { ids, tag: 't', status: 2 } })).rejects.toThrow(
        'channel_ids_missing',
      )
    expect(await list()).toMatchObject([{ tag: '', status: 1 }])
  },
)

describe('tags', () => {
  it('a tag disables, changes and renames all its channels at once', async () => {
    const id = await create({ tag: 't', weight: 5 })
    await create({ name: 'other', tag: '' })
    const tag = { tag: 't' }
    expect((await harness.call(channelRoutes.disableTag, { as: admin, body: tag })).data).toBe(1)
    expect(harness.snapshots.roster().channel(id)?.status).toBe(2)
    expect((await harness.call(channelRoutes.enableTag, { as: admin, body: tag })).data).toBe(1)
    await harness.call(channelRoutes.updateTag, {
      as: admin,
      body: { ...tag, weight: 0, models: 'o1', groups: null, new_tag: 'u' },
    })
    expect(await read(id)).toMatchObject({ weight: 0, models: 'o1', group: 'default', tag: 'u' })
  })

  it('Unlike new-api: removing a tag leaves untagged channels alone', async () => {
    const id = await create({ tag: 't' })
    const other = await create({ tag: '', models: 'o1' })
    await harness.call(channelRoutes.updateTag, {
      as: admin,
      body: { tag: 't', new_tag: '', models: 'gpt-4o' },
    })
    expect(await read(id)).toMatchObject({ tag: '', models: 'gpt-4o' })
    expect(await read(other)).toMatchObject({ models: 'o1' })
  })

  it('a tag is set for a selection, controls it from then on, and can be removed from it', async () => {
    const id = await create()
    const tagBatch = (tag: string | null) =>
      harness.call(channelRoutes.tagBatch, { as: admin, body: { ids: [id], tag } })
    await tagBatch('new')
    expect((await read(id)).tag).toBe('new')
    await harness.call(channelRoutes.disableTag, { as: admin, body: { tag: 'new' } })
    expect(isServed('gpt-4o')).toBe(false)
    await harness.call(channelRoutes.enableTag, { as: admin, body: { tag: 'new' } })
    expect(isServed('gpt-4o')).toBe(true)
    await tagBatch(null)
    expect((await read(id)).tag).toBe('')
  })

  it('a tag must have a name', async () => {
    const id = await create({ tag: 'kept' })
    for (const tag of ['', ' ']) {
      const nameless = harness.call(channelRoutes.enableTag, { as: admin, body: { tag } })
      await expect(nameless).rejects.toThrow('channel_tag_missing')
      const batch = harness.call(channelRoutes.tagBatch, { as: admin, body: { ids: [id], tag } })
      await expect(batch).rejects.toThrow('channel_tag_missing')
    }
    expect((await read(id)).tag).toBe('kept')
  })

  it.each([
    [{ weight: -1 }, 'channel_weight_invalid'],
    [{ weight: 1.5 }, 'channel_weight_invalid'],
    [{ priority: 1.5 }, 'channel_priority_invalid'],
    [{ priority: -1000 }, 'channel_priority_invalid'],
  ])('a tag update with %j is refused', async (body, code) => {
    const id = await create({ tag: 't', weight: 5, priority: 6 })
    const wrong = harness.call(channelRoutes.updateTag, { as: admin, body: { tag: 't', ...body } })
    await expect(wrong).rejects.toThrow(code)
    expect(await read(id)).toMatchObject({ weight: 5, priority: 6 })
  })
})
