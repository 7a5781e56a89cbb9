import type { OptionKey } from '@tollgate/contract/options/index'
import { parseOption } from '@tollgate/contract/options/index'
import { ManualClock } from '@tollgate/kit/clock'
import { insertLogTexts, readLogTexts } from '@tollgate/store/logs/texts'
import { type Store, openStore } from '@tollgate/store/database/open-store'
import { rollUpUsage } from '@tollgate/store/usage/roll-up'
import { sumUsage } from '@tollgate/store/usage/sums'
import { insertUser } from '@tollgate/store/accounts/user-changes'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type LogOptions, keepLogsJob } from './keep-logs.ts'

const DAY = 86_400

let store: Store
let clock: ManualClock
beforeEach(async () => {
  store = await openStore({ sqlitePath: ':memory:' })
  clock = new ManualClock()
})
afterEach(() => store.close())

const now = () => Math.floor(clock.nowMs() / 1000)

async function write(count: number, { type = 2, daysAgo = 0 } = {}): Promise<void> {
  const row = {
    request_id: null,
    user_id: 7,
    created_at: now() - daysAgo * DAY,
    type,
    content: '',
    username: 'alice',
    token_id: 1,
    token_name: 'cli',
    model_name: 'gpt-4o',
    quota: 10n,
    prompt_tokens: 3,
    completion_tokens: 2,
    use_time: 1,
    duration_ms: 900,
    first_byte_ms: 100,
    is_stream: 1,
    channel_id: 5,
    group_name: 'default',
    ip: '',
    other: 'x'.repeat(676),
  } as const
  await store.db
    .insertInto('logs')
    .values(Array.from({ length: count }, () => row))
    .execute()
}

const DEFAULTS = {
  'log_setting.size_mb': '0',
  'log_setting.keep_days': '{}',
  'log_setting.chat_days': '7',
} as const

/** Settings as an operator writes them; a setting that is not given has its default. */
function optionsOf(texts: Partial<Record<OptionKey, string>>): LogOptions {
  return {
    get: (key) => {
      const parsed = parseOption(key, texts[key] ?? DEFAULTS[key])
      if (parsed.type === 'refused') throw new Error(`${key} is refused`)
      return parsed.value
    },
  }
}

const run = (texts: Partial<Record<OptionKey, string>>) =>
  keepLogsJob({
    store: store.db,
    logs: store.db,
    clock,
    options: optionsOf(texts),
    log: { info: () => undefined, error: () => undefined },
  }).run()

async function kept(): Promise<Record<string, number>> {
  const rows = await store.db.selectFrom('logs').select(['type', 'created_at']).execute()
  const names = rows.map(
    ({ type, created_at }) => `type ${type}, ${Math.round((now() - created_at) / DAY)} days`,
  )
  return Object.fromEntries(names.map((name) => [name, names.filter((other) => other === name).length]))
}

it('removes no log rows by default', async () => {
  await write(3, { daysAgo: 4000 })
  await run({})
  expect(await kept()).toEqual({ 'type 2, 4000 days': 3 })
})

it('keeps rows of each type for their configured time, and hourly usage sums stay', async () => {
  await write(2, { daysAgo: 40 })
  await write(2, { daysAgo: 20 })
  await write(2, { daysAgo: 20, type: 8 })
  await write(1, { daysAgo: 90, type: 1 })
  await rollUpUsage(store.db, { nowSeconds: now() })
  await run({ 'log_setting.keep_days': '{"consumption":30,"error":10}' })
  expect(await kept()).toEqual({ 'type 1, 90 days': 1, 'type 2, 20 days': 2 })
  expect(await sumUsage(store.db, { type: 2 })).toMatchObject({ count: 4, quota: 40n })
})

it('removes the oldest calls when the log exceeds its maximum size', async () => {
  await write(1, { daysAgo: 9, type: 1 })
  for (let daysAgo = 9; daysAgo >= 0; daysAgo--) await write(250, { daysAgo })
  // A row has about 1 KB.
  await run({ 'log_setting.size_mb': '1' })
  const rest = await kept()
  expect(rest['type 1, 9 days']).toBe(1)
  expect(rest['type 2, 9 days']).toBeUndefined()
  expect(rest['type 2, 0 days']).toBe(250)
  const calls = await store.db.selectFrom('logs').select('id').where('type', '=', 2).execute()
  expect(calls.length).toBeGreaterThanOrEqual(900)
  expect(calls.length).toBeLessThanOrEqual(1300)
})

const said = (name: string, daysAgo: number) =>
  insertLogTexts(store.db, [{ request_id: name, user_id: 7, created_at: now() - daysAgo * DAY, sealed: 'x' }])

const textsLeft = async () =>
  (await store.db.selectFrom('log_texts').select('request_id').execute()).map(({ request_id: id }) => id)

it('removes texts after their own number of days, and never keeps them longer than their log row', async () => {
  await said('old', 8)
  await said('young', 6)
  await said('new', 1)
  await run({})
  expect(await textsLeft()).toEqual(['new', 'young'])
  await run({ 'log_setting.keep_days': '{"consumption":5}' })
  expect(await textsLeft()).toEqual(['new'])
})

const text = (id: string, user: number) => ({
  request_id: id,
  user_id: user,
  created_at: now(),
  sealed: '',
})

it('removes the texts of deleted users, a while after their last calls', async () => {
  const ids = async (...all: string[]) => new Set((await readLogTexts(store.db, all)).keys())
  const deletedMinutesAgo = async (name: string, minutes: number) => {
    const id = await insertUser(store.db, {
      username: name,
      password_hash: '',
      display_name: '',
      role: 1,
      created_ms: 0,
    })
    await store.db
      .updateTable('users')
      .set({ deleted_ms: minutes < 0 ? null : clock.nowMs() - minutes * 60_000 })
      .where('id', '=', id)
      .execute()
    return id
  }
  const [gone, just, here] = [
    await deletedMinutesAgo('gone', 30),
    await deletedMinutesAgo('just', 5),
    await deletedMinutesAgo('here', -1),
  ]
  const many = Array.from({ length: 1200 }, (_, index) => text(`gone-${index}`, gone))
  for (let first = 0; first < many.length; first += 100)
    await insertLogTexts(store.db, many.slice(first, first + 100))
  await insertLogTexts(store.db, [text('just', just), text('here', here)])
  await run({})
  expect(await ids('gone-0', 'gone-1199', 'just', 'here')).toEqual(new Set(['here', 'just']))
  clock.advance(600_000)
  await run({})
  expect(await ids('just', 'here')).toEqual(new Set(['here']))
})
