import { channelRoutes } from '@tollgate/contract/channel'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ServiceHarness, actor, openServiceHarness } from './service-harness.ts'
import { CUSTOM, OPENAI, SPARK } from './fake-upstreams.ts'

const admin = actor(2, { role: 10 })
const root = actor(1, { role: 100 })
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

async function update(body: Record<string, unknown>) {
  return (await harness.call(channelRoutes.update, { as: admin, body })).data
}

async function list(query: Record<string, string> = {}) {
  const { data, extra } = await harness.call(channelRoutes.list, { as: admin, query })
  return { names: data.map(({ name }) => name), data, total: extra['total'] }
}

const isServed = (model: string) => harness.snapshots.roster().candidates('default', model).tiers.length > 0

it('a channel whose type changes gets the default values of the new type, unless they are given', async () => {
  const id = await create({ other: 'of the old kind' })
  expect(await update({ id, type: SPARK, key: KEY })).toMatchObject({ type: SPARK, other: 'v2.1' })
  expect(await update({ id, type: OPENAI, other: 'mine', key: KEY })).toMatchObject({ other: 'mine' })
  expect(await update({ id, type: OPENAI, name: 'same kind' })).toMatchObject({ other: 'mine' })
})

describe('a new channel', () => {
  it('a new channel serves before the response is sent, and only the roster has its key in clear text', async () => {
    const id = await create()
    expect(harness.snapshots.roster().channel(id)).toMatchObject({ keys: [KEY], groups: ['default'] })
    expect(isServed('o1')).toBe(true)
  })

  it('a new channel has the defaults of new-api', async () => {
    expect(await read(await create({ group: '' }))).toMatchObject({
      status: 1,
      group: 'default',
      priority: 0,
      weight: 0,
      auto_ban: 1,
      version: 1,
      response_time: 0,
      used_quota: 0,
    })
  })

  it('several keys are accepted, separated by commas and lines', async () => {
    const id = await create({ key: `${KEY}\n sk-second-key-of-the-channel,` })
    expect(harness.snapshots.roster().channel(id)?.keys).toEqual([KEY, 'sk-second-key-of-the-channel'])
    expect((await read(id)).key_preview).toMatch(/^sk-012\*\*\*mnop \+1$/)
  })

  it.each([
    ['no name', { name: '' }, 'channel_name_missing'],
    ['no key', { key: ' , ' }, 'channel_key_missing'],
    ['a key of another kind', { key: 'AIza-something' }, 'channel_key_invalid'],
    ['no model, so that no group is without one', { models: '' }, 'channel_models_missing'],
    ['a type that is none of ours', { type: 999 }, 'channel_type_unknown'],
    ['no address where the type has none', { type: CUSTOM }, 'channel_base_url_needed'],
    ['a mapping that is no JSON', { model_mapping: '{' }, 'channel_json_invalid'],
    ['an override that is no object', { param_override: '[1]' }, 'channel_json_invalid'],
    ['a priority below the lowest', { priority: -1000 }, 'channel_priority_invalid'],
    ['half a weight', { weight: 0.5 }, 'channel_weight_invalid'],
    ['routes that are none', { setting: '{"advanced_routes":[{}]}' }, 'channel_route_invalid'],
    ['statuses that are none', { status_code_mapping: '{"400":"abc"}' }, 'channel_status_mapping_invalid'],
  ])('a channel is refused with %s, and nothing is stored', async (_title, body, code) => {
    await expect(create(body)).rejects.toThrow(code)
    expect((await list()).total).toBe(0)
  })

  it('a group name is treated as text, whatever it contains', async () => {
    const group = `x') OR 1=1 --`
    await create({ group })
    expect((await list({ group })).names).toEqual(['main'])
    expect((await list({ group: 'x' })).names).toEqual([])
  })

  it('Unlike new-api: counters, times and the id are not accepted from the caller', async () => {
    const id = await create({
      id: 77,
      used_quota: 5,
      balance: 9,
      created_time: 3,
      other_info: '{}',
      version: 9,
    })
    expect(await read(id)).toMatchObject({ used_quota: 0, balance: 0, other_info: '', version: 1 })
    expect((await read(id)).created_time).toBeGreaterThan(3)
  })
})

describe('keys of channels', () => {
  it('keys are in no list (tag mode included), search, read, update or audit row', async () => {
    const id = await create({ tag: 't' })
    const answers = [
      await list(),
      await list({ tag_mode: 'true' }),
      await harness.call(channelRoutes.search, { as: admin, query: { keyword: KEY, tag_mode: 'true' } }),
      await read(id),
      await update({ id, status: 2 }),
      await update({ id, key: `${KEY}-new`, name: 'other' }),
      await harness.store.selectFrom('channels').selectAll().execute(),
      await harness.store.selectFrom('audit_log').selectAll().execute(),
    ]
    for (const answer of answers) expect(JSON.stringify(answer)).not.toContain(KEY.slice(6, -4))
    expect((await read(id)).key).toBe('')
  })

  it.each(['', '  ', 'the preview'])('the key is kept by an update with the key "%s"', async (text) => {
    const id = await create()
    const key = text === 'the preview' ? (await read(id)).key_preview : text
    await update({ id, key, name: 'renamed' })
    expect(harness.snapshots.roster().channel(id)).toMatchObject({ name: 'renamed', keys: [KEY] })
  })

  it('keys are revealed to the super admin soon after signing in, with an audit row', async () => {
    const id = await create()
    expect(channelRoutes.reveal.access).toBe('root')
    const { data } = await harness.call(channelRoutes.reveal, { as: root, params: { id } })
    expect(data).toMatchObject({ id, key: KEY })
    const late = harness.call(channelRoutes.reveal, { as: { ...root, provenMs: 0 }, params: { id } })
    await expect(late).rejects.toThrow('recent_sign_in_needed')
    const rows = await harness.store
      .selectFrom('audit_log')
      .selectAll()
      .where('action', '=', 'reveal')
      .execute()
    expect(rows).toMatchObject([{ actor_id: 1, entity: 'channel', entity_id: String(id) }])
  })

  it('a channel is found by one of its whole keys', async () => {
    await create({ name: 'a' })
    await create({ name: 'b', key: 'sk-0123456789abcdefghij-mnop' })
    expect((await list({ keyword: KEY })).names).toEqual(['a'])
    expect((await list({ keyword: KEY.slice(0, -1) })).names).toEqual([])
  })
})

describe('updating a channel', () => {
  it('the second of two editors gets an error instead of overwriting the first', async () => {
    const id = await create()
    const { version } = await read(id)
    await update({ id, version, name: 'first' })
    await expect(update({ id, version, name: 'second' })).rejects.toThrow('channel_version_changed')
    expect((await read(id)).name).toBe('first')
  })

  it('an update changes only the fields that are sent', async () => {
    const id = await create({ tag: 't', priority: 5, model_mapping: '{"a":"b"}' })
    expect(await update({ id, priority: 0 })).toMatchObject({
      tag: 't',
      priority: 0,
      model_mapping: '{"a":"b"}',
    })
    expect(await update({ id, model_mapping: '', tag: null })).toMatchObject({ tag: '', model_mapping: '' })
  })

  it('saving a whole form does not undo an automatic disabling; enabling does, and clears the reason', async () => {
    const id = await create()
    const form = await read(id)
    const disabled = { status: 3, other_info: '{"status_reason":"401","status_time":5}' }
    await harness.store.updateTable('channels').set(disabled).where('id', '=', id).execute()
    const { version: _version, ...oldForm } = form
    expect(await update({ ...oldForm, name: 'saved' })).toMatchObject({ name: 'saved', status: 3 })
    expect(await update({ id, status: 1 })).toMatchObject({ status: 1, other_info: '' })
  })

  it('a negative weight is refused, and the lowest priority is accepted', async () => {
    const id = await create({ weight: 7, priority: -999 })
    await expect(create({ weight: -5 })).rejects.toThrow('channel_weight_invalid')
    await expect(update({ id, weight: -1 })).rejects.toThrow('channel_weight_invalid')
    expect(await read(id)).toMatchObject({ weight: 7, priority: -999 })
  })

  it('an update of an unknown channel is refused', async () => {
    await expect(update({ id: 404, name: 'x' })).rejects.toThrow('not_found')
  })

  it('an update takes a model out of service at once', async () => {
    const id = await create()
    await update({ id, models: 'gpt-4o' })
    expect(isServed('o1')).toBe(false)
    await update({ id, status: 2 })
    expect(isServed('gpt-4o')).toBe(false)
  })
})

describe('lists of channels', () => {
  it('a list has ten rows by default and at most a hundred, with the total', async () => {
    for (let i = 0; i < 12; i++) await create({ name: `c${i}` })
    const first = await list()
    expect([first.names.length, first.total]).toEqual([10, 12])
    expect((await list({ page_size: '100000' })).names).toHaveLength(12)
    expect((await list({ p: '1' })).names).toHaveLength(2)
  })

  it('a list is ordered by priority or by id', async () => {
    for (const priority of [1, 3, 2]) await create({ name: `p${priority}`, priority })
    expect((await list()).names).toEqual(['p3', 'p2', 'p1'])
    expect((await list({ id_sort: 'true' })).names).toEqual(['p2', 'p3', 'p1'])
  })

  it('in tag mode a page consists of tags with all channels of each', async () => {
    for (const [name, tag] of [
      ['a', 'x'],
      ['b', 'y'],
      ['c', 'x'],
      ['d', ''],
    ])
      await create({ name, tag })
    const page = await list({ tag_mode: 'true', page_size: '1' })
    expect(page.names.toSorted()).toEqual(['a', 'c'])
    expect(page.total).toBe(2)
    expect((await list({ tag_mode: 'true', keyword: 'b' })).names).toEqual(['b'])
  })

  it('the group "null" of older consoles means no group', async () => {
    await create()
    expect((await list({ group: 'null' })).names).toEqual(['main'])
  })
})

describe('copying a channel', () => {
  it('a copy has the key of its source, is disabled, and has no history', async () => {
    const id = await create({ tag: 't' })
    await harness.store
      .updateTable('channels')
      .set({ response_time: 9, test_time: 9, test_outcome: 'failed', balance: 3, other_info: '{}' })
      .where('id', '=', id)
      .execute()
    const { data } = await harness.call(channelRoutes.copy, { as: admin, params: { id } })
    expect(await read(data.id)).toMatchObject({
      name: 'main_copy',
      status: 2,
      tag: 't',
      response_time: 0,
      test_outcome: '',
      balance: 0,
      other_info: '',
    })
    expect(harness.snapshots.roster().channel(data.id)?.keys).toEqual([KEY])
  })
})
