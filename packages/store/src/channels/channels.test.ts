import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type ChannelFilter,
  type ChannelSort,
  countChannelTags,
  countChannels,
  listChannelTags,
  listChannels,
} from './channel-pages.ts'
import {
  type NewChannel,
  enabledModelLists,
  findChannel,
  insertChannel,
  recordChannelBalance,
  recordChannelTest,
  removeChannels,
  updateChannel,
  updateChannels,
} from './channels.ts'
import { type Store, openStore } from '../database/open-store.ts'

let store: Store

beforeEach(async () => {
  store = await openStore({ sqlitePath: ':memory:' })
})
afterEach(() => store.close())

const plain: NewChannel = {
  type: 1,
  name: 'main',
  key_preview: 'sk-abc***wxyz',
  status: 1,
  base_url: '',
  other: '',
  models: 'gpt-4o',
  group_names: 'default',
  model_mapping: '',
  status_code_mapping: '',
  model_prefix: '',
  openai_organization: '',
  test_model: '',
  tag: '',
  remark: '',
  priority: 0,
  weight: 0,
  auto_ban: 1,
  created_time: 1,
}

const passed = {
  response_time: 842,
  test_time: 5,
  test_outcome: 'ok',
  test_status: 200,
  test_message: '',
  tested_model: 'gpt-4o',
} as const

function newChannel(fields: Partial<NewChannel> = {}): Promise<number> {
  return insertChannel(store.db, { ...plain, ...fields }, (id) => ({ key_sealed: `sealed for ${id}` }))
}

async function namesOf(filter: ChannelFilter): Promise<string[]> {
  const rows = await listChannels(store.db, filter, { offset: 0, limit: 100, byId: true })
  return rows.map(({ name }) => name)
}

async function sortedBy(by: ChannelSort['by'], isDescending: boolean): Promise<string> {
  const page = { offset: 0, limit: 100, byId: false, sort: { by, isDescending } }
  return (await listChannels(store.db, {}, page)).map(({ name }) => name).join(' ')
}

const pageOfFive = (offset: number) => listChannels(store.db, {}, { offset, limit: 5, byId: false })

describe('channels', () => {
  it('lists channels by balance, use or response time, with channels without a value last', async () => {
    const [rich, poor] = [await newChannel({ name: 'rich' }), await newChannel({ name: 'poor' })]
    await newChannel({ name: 'new' })
    for (const [id, amount] of [
      [rich, 9],
      [poor, -1],
    ] as const) {
      const { db } = store
      await recordChannelBalance(db, { id, balance: amount, currency: 'USD', updatedTime: 5 })
      await db
        .updateTable('channels')
        .set({ test_time: 5, response_time: 100 + amount })
        .where('id', '=', id)
        .execute()
      const totals = { subject: `channel:${id}`, used: BigInt(10 + amount), calls: 1, last_ms: 1 }
      await db.insertInto('totals').values(totals).execute()
    }
    for (const by of ['balance', 'response'] as const) {
      expect(await sortedBy(by, true)).toBe('rich poor new')
      expect(await sortedBy(by, false)).toBe('poor rich new')
    }
    expect(await sortedBy('used', true)).toBe('rich poor new')
    expect(await sortedBy('used', false)).toBe('new poor rich')
  })

  it('encrypts the key of a new channel for its own id', async () => {
    const id = await newChannel()
    expect(await findChannel(store.db, id)).toMatchObject({ key_sealed: `sealed for ${id}`, version: 1 })
  })

  it('stores no channel when its key cannot be encrypted', async () => {
    const broken = insertChannel(store.db, plain, () => {
      throw new Error('no key')
    })
    await expect(broken).rejects.toThrow('no key')
    expect(await countChannels(store.db, {})).toBe(0)
  })

  it('Unlike new-api: channels of equal priority are neither repeated nor lost across pages', async () => {
    for (let i = 0; i < 23; i++) await newChannel({ priority: i % 3 })
    const pages = await Promise.all([0, 5, 10, 15, 20].map(pageOfFive))
    const ids = pages.flat().map(({ id }) => id)
    expect(new Set(ids).size).toBe(23)
    const priorities = pages.flat().map(({ priority }) => priority)
    expect(priorities).toEqual(priorities.toSorted((a, b) => b - a))
  })

  it('the group filter matches only whole elements of the list of groups', async () => {
    await newChannel({ name: 'a', group_names: 'default,vip' })
    await newChannel({ name: 'b', group_names: 'svip' })
    expect(await namesOf({ group: 'vip' })).toEqual(['a'])
    expect(await namesOf({ group: '%' })).toEqual([])
    expect(await namesOf({ group: 'default,vip' })).toEqual(['a'])
  })

  it('a keyword finds channels by part of the name, by id, and by the given ids of matching keys', async () => {
    const id = await newChannel({ name: '50% off' })
    await newChannel({ name: '500 off' })
    const keyed = await newChannel({ name: 'keyed' })
    expect(await namesOf({ keyword: '50%' })).toEqual(['50% off'])
    expect(await namesOf({ keyword: String(id) })).toContain('50% off')
    expect(await namesOf({ keyword: 'sk-x', keywordIds: [keyed] })).toEqual(['keyed'])
    expect(await namesOf({ model: 'GPT-4' })).toHaveLength(3)
    expect(await namesOf({ model: 'gpt_4' })).toEqual([])
  })

  it('tag mode pages by tag and leaves out channels without a tag', async () => {
    for (const tag of ['b', 'a', '', 'b', 'c']) await newChannel({ tag })
    expect(await listChannelTags(store.db, {}, { offset: 0, limit: 2 })).toEqual(['a', 'b'])
    expect(await listChannelTags(store.db, {}, { offset: 2, limit: 2 })).toEqual(['c'])
    expect(await countChannelTags(store.db, {})).toBe(3)
  })

  it('a channel is updated only at the version that was read', async () => {
    const id = await newChannel()
    expect(await updateChannel(store.db, { id, version: 1, change: { name: 'first' } })).toBe(true)
    expect(await updateChannel(store.db, { id, version: 1, change: { name: 'second' } })).toBe(false)
    expect(await findChannel(store.db, id)).toMatchObject({ name: 'first', version: 2 })
  })

  it('recording a test does not change the version of a channel', async () => {
    const id = await newChannel()
    await recordChannelTest(store.db, { ...passed, id })
    expect(await findChannel(store.db, id)).toMatchObject({ ...passed, version: 1 })
  })

  it('the test filter finds channels by their last outcome and skips untested ones', async () => {
    const [good, bad] = [await newChannel({ name: 'good' }), await newChannel({ name: 'bad' })]
    await newChannel({ name: 'untested' })
    await recordChannelTest(store.db, { ...passed, id: good })
    await recordChannelTest(store.db, { ...passed, id: bad, test_outcome: 'failed' })
    expect(await namesOf({ testOutcome: 'failed' })).toEqual(['bad'])
    expect(await namesOf({ testOutcome: 'ok' })).toEqual(['good'])
    expect(await countChannels(store.db, { testOutcome: 'failed' })).toBe(1)
  })

  it('the message of a failed test is cut to the column without splitting a character', async () => {
    const id = await newChannel()
    await recordChannelTest(store.db, { ...passed, id, test_message: `a${'😀'.repeat(200)}` })
    const message = (await findChannel(store.db, id))?.test_message ?? ''
    expect([message.length, message.isWellFormed(), message.at(-1)]).toEqual([255, true, '…'])
  })

  it('all channels of a tag are changed together, also to weight 0', async () => {
    const id = await newChannel({ tag: 't', weight: 5 })
    await newChannel({ tag: '', weight: 5 })
    expect(await updateChannels(store.db, { tag: 't' }, { weight: 0 })).toBe(1)
    expect(await findChannel(store.db, id)).toMatchObject({ weight: 0, version: 2 })
  })

  it('removing channels by id returns how many existed', async () => {
    const ids = [await newChannel(), await newChannel()]
    expect(await removeChannels(store.db, [...ids, 999])).toBe(2)
    expect(await removeChannels(store.db, [])).toBe(0)
  })

  it('only enabled channels offer models', async () => {
    await newChannel({ models: 'a,b' })
    await newChannel({ models: 'c', status: 3 })
    expect(await enabledModelLists(store.db)).toEqual(['a,b'])
  })
})
