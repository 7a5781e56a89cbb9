import { afterEach, beforeEach, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'

let bench: RelayHarness

beforeEach(async () => {
  bench = await openRelayHarness()
})
afterEach(() => bench.close())

const ids = (model = 'gpt-4o') =>
  bench.snapshots
    .roster()
    .candidates('default', model)
    .tiers.flat()
    .map(({ id }) => id)

test('the price version increases only when prices change', async () => {
  expect(bench.snapshots.prices().version).toBe(1)
  await bench.setOption('RetryTimes', '2')
  expect(bench.snapshots.prices().version).toBe(1)
  const before = bench.snapshots.prices()
  await bench.setOption('ModelRatio', '{"gpt-4o":7}')
  expect(bench.snapshots.prices().version).toBe(2)
  const ask = { model: 'gpt-4o', group: 'default', acceptsUnpriced: false }
  expect(bench.snapshots.prices().find(ask)?.rule).toMatchObject({ modelRatio: '7' })
  expect(before.find(ask)?.rule).toMatchObject({ modelRatio: '1.25' })
  const rows = await bench.db.selectFrom('price_books').select('version').execute()
  expect(rows).toHaveLength(2)
})

test('an unreadable stored setting has its default everywhere, and each reload logs it once', async () => {
  await bench.setOption('RetryTimes', 'many')
  await bench.setOption('ModelRatio', '{"gpt-4o":')
  expect(bench.snapshots.settings().retryTimes).toBe(0)
  expect(bench.settings.get('RetryTimes')).toBe(0)
  const ask = { model: 'gpt-4o', group: 'default', acceptsUnpriced: false }
  expect(bench.snapshots.prices().find(ask)?.rule).toMatchObject({ modelRatio: '1.25' })
  expect(bench.settings.get('ModelRatio').get('gpt-4o')).toBe(1.25)
  bench.said.length = 0
  await bench.snapshots.refreshAll()
  expect(bench.said.map(({ option }) => option)).toEqual(['RetryTimes', 'ModelRatio'])
})

test('an invalid stored price is replaced by its default for charging too', async () => {
  await bench.setOption('QuotaPerUnit', '0.5')
  expect(bench.settings.get('QuotaPerUnit')).toBe(500_000)
  const ask = { model: 'gpt-4o', group: 'default', acceptsUnpriced: false }
  expect(bench.snapshots.prices().find(ask)?.quotaPerUnit).toBe('500000')
})

test('a changed setting reaches the relay and the services with the same reload', async () => {
  const before = bench.snapshots.settings()
  expect(bench.snapshots.settings()).toBe(before)
  await bench.setOption('RetryTimes', '4')
  expect(bench.snapshots.settings().retryTimes).toBe(4)
  expect(bench.settings.get('RetryTimes')).toBe(4)
  expect(before.retryTimes).toBe(0)
})

test('a channel whose key cannot be decrypted is left out, and the others serve', async () => {
  const bad = await bench.addChannel('http://a.test')
  const good = await bench.addChannel('http://b.test')
  await bench.db.updateTable('channels').set({ key_sealed: 'v1.AAAA' }).where('id', '=', bad).execute()
  await bench.notices.publish({ entity: 'channel', id: bad })
  expect(ids()).toEqual([good])
  expect(bench.said).toContainEqual(expect.objectContaining({ channelId: bad }))
})

test('a withdrawn channel stays out until its row has a new version', async () => {
  const id = await bench.addChannel('http://a.test')
  bench.snapshots.withdrawChannel(id)
  expect(ids()).toEqual([])
  await bench.snapshots.refreshAll()
  expect(ids()).toEqual([])
  await bench.db.updateTable('channels').set({ version: 2 }).where('id', '=', id).execute()
  await bench.snapshots.refreshAll()
  expect(ids()).toEqual([id])
})

test('a change without a notice is found at the next full reload', async () => {
  const { tokenId, bearer } = await bench.addCaller()
  await bench.db.updateTable('tokens').set({ deleted_ms: 1 }).where('id', '=', tokenId).execute()
  expect((await bench.send({ bearer, body: {} })).status).toBe(400)
  await bench.snapshots.refreshAll()
  expect((await bench.send({ bearer, body: {} })).status).toBe(401)
})
