import { ManualClock } from '@tollgate/kit/clock'
import { openTaskUpstream, type TaskUpstream } from '@tollgate/testkit/fake-task-upstream'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'

/**
 * Task submissions that an upstream refuses as busy: which Retry-After the caller gets, and when the next
 * group is tried.
 */

const BALANCE = 100_000_000n
const SONG = 50_000n
const MUSIC = '/suno/submit/MUSIC'
const BUSY = { status: 429, body: { code: 'busy', message: 'too many' }, retryAfter: '17' }
const TAKEN = { body: { code: 'success', message: '', data: 'song-1' } }

let harness: RelayHarness
let cheap: TaskUpstream
let dear: TaskUpstream

beforeEach(async () => {
  harness = await openRelayHarness({ clock: new ManualClock() })
  ;[cheap, dear] = await Promise.all([openTaskUpstream(), openTaskUpstream()])
  await harness.setOption('GroupRatio', '{"default":1,"cheap":1,"dear":3}')
  await harness.setOption('UserUsableGroups', '{"cheap":"","dear":"","auto":""}')
  await harness.setOption('AutoGroups', '["cheap","dear"]')
  await harness.setOption('ModelPrice', '{"suno_music":0.1}')
  await harness.addChannel(cheap.url, { type: 36, models: 'suno_music', group_names: 'cheap' })
  await harness.addChannel(dear.url, { type: 36, models: 'suno_music', group_names: 'dear' })
})
afterEach(async () => {
  expect(await harness.ledger.audit()).toMatchObject({ findings: [] })
  expect(await harness.openHolds()).toBe(0)
  await Promise.all([cheap.close(), dear.close()])
  await harness.close()
})

async function submit(token: object, quota = BALANCE) {
  const who = await harness.addCaller({ quota, token: { group_name: 'auto', ...token } })
  const answer = await harness.send({
    path: '/suno/submit/music',
    bearer: who.bearer,
    body: { prompt: 'a song' },
  })
  return { ...who, answer, paid: quota - ((await harness.balance(who.userId))?.remaining ?? 0n) }
}

it('a token with cross_group_retry pays the price of the next group when that one accepts the task', async () => {
  cheap.answer(MUSIC, BUSY)
  dear.answer(MUSIC, TAKEN)
  const { answer, paid } = await submit({ cross_group_retry: 1 })
  expect(answer).toMatchObject({ status: 200, json: { code: 'success' } })
  expect(paid).toBe(3n * SONG)
  const [log] = await harness.logs()
  expect(log).toMatchObject({ group_name: 'dear', quota: 3n * SONG })
  const [entry] = await harness.entries()
  expect(JSON.parse(entry?.price_json ?? '')).toMatchObject({ group: 'dear' })
})

it("a task that the first group accepts is charged at that group's price", async () => {
  cheap.answer(MUSIC, TAKEN)
  const { paid } = await submit({ cross_group_retry: 1 })
  expect(paid).toBe(SONG)
  expect(dear.asked).toHaveLength(0)
})

it('a task that may have been accepted is not submitted elsewhere', async () => {
  cheap.answer(MUSIC, { isCut: true })
  dear.answer(MUSIC, TAKEN)
  const { answer, paid } = await submit({ cross_group_retry: 1 })
  expect(answer.status).toBe(504)
  expect(paid).toBe(SONG)
  expect(dear.asked).toHaveLength(0)
})

it('a token without cross_group_retry gets Retry-After and pays nothing', async () => {
  cheap.answer(MUSIC, BUSY)
  const { answer, paid } = await submit({})
  expect(answer).toMatchObject({ status: 429, headers: { 'retry-after': '17' } })
  expect(paid).toBe(0n)
  expect(dear.asked).toHaveLength(0)
})

it('when all groups have refused, the caller gets the refusal of the last one', async () => {
  cheap.answer(MUSIC, BUSY)
  dear.answer(MUSIC, { ...BUSY, retryAfter: '23' })
  const { answer, paid } = await submit({ cross_group_retry: 1 })
  expect(answer).toMatchObject({ status: 429, headers: { 'retry-after': '23' } })
  expect(paid).toBe(0n)
  expect(await harness.logs()).toMatchObject([{ type: 8, quota: 0n }])
})

it("a balance below the most expensive group's price is refused before any upstream is called", async () => {
  const { answer } = await submit({ cross_group_retry: 1 }, 2n * SONG)
  expect(answer.status).toBe(403)
  expect([...cheap.asked, ...dear.asked]).toEqual([])
})

it('a token over its limit per minute gets Retry-After', async () => {
  cheap.answer(MUSIC, TAKEN)
  const { answer, bearer } = await submit({ rpm_limit: 1 })
  expect(answer.status).toBe(200)
  const again = await harness.send({ path: '/suno/submit/music', bearer, body: { prompt: 'a song' } })
  expect(again.status).toBe(429)
  expect(Number(again.headers['retry-after'])).toBeGreaterThan(0)
})
