import { taskRoutes } from '@tollgate/contract/task'
import { problem } from '@tollgate/problems/problem'
import type { Insertable } from 'kysely'
import type { TaskTable } from '@tollgate/store/tables/trade'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Ask, type ServiceHarness, actor, openServiceHarness } from './service-harness.ts'

const alice = actor(7)
const root = actor(1, { role: 100 })

let harness: ServiceHarness

beforeEach(async () => {
  harness = await openServiceHarness()
})
afterEach(() => harness.close())

async function write(...rows: Partial<Insertable<TaskTable>>[]): Promise<void> {
  for (const row of rows)
    await harness.store
      .insertInto('tasks')
      .values({ ...plain, ...row })
      .execute()
}

async function findDrawings(query: Record<string, string>) {
  return (await harness.call(taskRoutes.listDrawings, { as: root, query })).data.map(({ mj_id }) => mj_id)
}

async function findSongs(query: Record<string, string>) {
  return (await harness.call(taskRoutes.list, { as: root, query })).data.map(({ task_id }) => task_id)
}

async function reasons(ask: Ask) {
  const { data } = await harness.call(taskRoutes.listOwnDrawings, { as: alice, ...ask })
  return data.map(({ fail_reason: reason }) => reason).toReversed()
}

const plain: Insertable<TaskTable> = {
  platform: 'mj',
  task_id: 'a1',
  user_id: alice.id,
  token_id: 1,
  channel_id: 3,
  request_id: null,
  action: 'IMAGINE',
  status: 'SUCCESS',
  progress: '100%',
  fail_reason: '',
  quota: 50_000n,
  submit_ms: 1_718_000_000_000,
  start_ms: 1_718_000_002_000,
  finish_ms: 1_718_000_060_000,
  deadline_ms: 0,
  secret_hash: 'never shown',
  detail: JSON.stringify({
    code: 1,
    prompt: 'a cat',
    image_url: 'https://there.example/a.png',
    buttons: [{ customId: 'b' }],
    key_index: 2,
  }),
  created_ms: 1_718_000_000_000,
  updated_ms: 1_718_000_060_000,
  version: 1,
}

it('drawings are listed in the format of new-api, without internal members', async () => {
  await write({})
  const { data, extra } = await harness.call(taskRoutes.listDrawings, { as: root })
  expect(extra).toEqual({ total: 1 })
  expect(data).toMatchObject([
    {
      code: 1,
      user_id: 7,
      mj_id: 'a1',
      prompt: 'a cat',
      submit_time: 1_718_000_000_000,
      channel_id: 3,
      quota: 50_000,
      buttons: '[{"customId":"b"}]',
      properties: '',
    },
  ])
  const [row] = data
  expect(row?.image_url).toMatch(/\/mj\/image\/a1\?key=[\w-]{32}$/)
  expect(JSON.stringify(row)).not.toMatch(/never shown|key_index|there\.example/)
})

it('owners see only their own tasks, without the channel, and no URL of an image that does not exist', async () => {
  await write({}, { user_id: 8, task_id: 'b1' }, { task_id: 'a2', status: 'SUBMITTED', detail: '{}' })
  const { data } = await harness.call(taskRoutes.listOwnDrawings, { as: alice })
  expect(data.map(({ mj_id, channel_id }) => [mj_id, channel_id])).toEqual([
    ['a2', 0],
    ['a1', 0],
  ])
  expect(data[0]?.image_url).toBe('')
})

it('reasons of the gateway are translated for this console and unchanged for others; reasons of upstreams are never translated', async () => {
  const refusal = problem('no_channel', { model: 'mj_imagine', group: 'vip' })
  const note = { problem: { code: refusal.code, parameters: refusal.parameters } }
  const stored = [refusal.textIn('en'), 'the upstream knows it no longer', 'banned prompt'] as const
  await write(
    { task_id: 'r1', fail_reason: stored[0], detail: JSON.stringify(note) },
    { task_id: 'r2', fail_reason: stored[1] },
    { task_id: 'r3', fail_reason: stored[2] },
  )
  expect(await reasons({ language: 'zh' })).toEqual([
    refusal.textIn('zh'),
    '上游已没有该任务的记录',
    'banned prompt',
  ])
  expect((await reasons({ language: 'en' }))[1]).toBe('The upstream no longer knows this task')
  expect(await reasons({ language: 'zh', userHeader: 'family' })).toEqual(stored)
})

it('pages start at 0, with ten rows each, newest first', async () => {
  for (let count = 0; count < 12; count++) await write({ task_id: `t${count}` })
  const second = await harness.call(taskRoutes.listOwnDrawings, { as: alice, query: { p: '1' } })
  expect(second.data.map(({ mj_id }) => mj_id)).toEqual(['t1', 't0'])
  expect(second.extra).toEqual({ total: 12 })
})

it('drawings are found by id and by milliseconds, both bounds included; an invalid bound is ignored', async () => {
  await write({}, { task_id: 'late', submit_ms: 1_718_000_000_001 })
  expect(await findDrawings({ mj_id: 'a1' })).toEqual(['a1'])
  expect(await findDrawings({ end_timestamp: '1718000000000' })).toEqual(['a1'])
  expect(await findDrawings({ start_timestamp: '1718000000001' })).toEqual(['late'])
  expect(await findDrawings({ start_timestamp: 'yesterday' })).toHaveLength(2)
})

it('songs are found by channel, user and action, and their times are in seconds', async () => {
  const song = {
    platform: 'suno',
    action: 'MUSIC',
    detail: JSON.stringify({ properties: { input: 'a waltz' }, data: [{ title: 'Waltz' }] }),
  }
  await write(
    {},
    { ...song, task_id: 's1' },
    { ...song, task_id: 's2', user_id: 8, channel_id: 4, action: 'LYRICS' },
  )
  expect(await findSongs({})).toEqual(['s2', 's1'])
  expect(await findSongs({ channel_id: '4' })).toEqual(['s2'])
  expect(await findSongs({ user_id: '7' })).toEqual(['s1'])
  expect(await findSongs({ action: 'MUSIC' })).toEqual(['s1'])
  expect(await findSongs({ status: 'FAILURE' })).toEqual([])
  expect(await findSongs({ start_timestamp: '1718000000', end_timestamp: '1718000000' })).toHaveLength(2)
  expect(await findSongs({ start_timestamp: '1718000001' })).toEqual([])
  const { data } = await harness.call(taskRoutes.listOwn, { as: alice })
  expect(data).toMatchObject([
    {
      task_id: 's1',
      channel_id: 0,
      submit_time: 1_718_000_000,
      finish_time: 1_718_000_060,
      properties: { input: 'a waltz' },
      data: [{ title: 'Waltz' }],
    },
  ])
})

it('a task that was partly refunded shows its final cost', async () => {
  const detail = JSON.stringify({ tokens_usual: 9, paid_units: '20000' })
  await write({ platform: 'video', detail }, { platform: 'video', task_id: 'a2' })
  const { data } = await harness.call(taskRoutes.listOwn, { as: alice })
  expect(data.map(({ quota }) => quota)).toEqual([50_000, 20_000])
  expect(JSON.stringify(data)).not.toContain('tokens')
})

it('only administrators see names of users and channels, and find tasks by user name', async () => {
  await write({ platform: 'suno', task_id: 's1', user_id: 8 }, { platform: 'suno', task_id: 's2' })
  expect(await findSongs({ username: 'user8' })).toEqual(['s1'])
  expect(await findSongs({ username: 'nobody' })).toEqual([])
  const { data } = await harness.call(taskRoutes.list, { as: root, query: { task_id: 's1' } })
  expect(data).toMatchObject([{ username: 'user8', channel_name: '' }])
  const own = await harness.call(taskRoutes.listOwn, { as: alice })
  expect(own.data).toMatchObject([{ task_id: 's2', username: '', channel_name: '' }])
})
