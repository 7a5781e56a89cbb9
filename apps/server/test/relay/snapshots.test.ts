import { afterEach, beforeEach, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'

let harness: RelayHarness

beforeEach(async () => {
  harness = await openRelayHarness()
})
afterEach(() => harness.close())

const ids = (model = 'gpt-4o') =>
  harness.snapshots
    .roster()
    .candidates('default', model)
    .tiers.flat()
    .map(({ id }) => id)

test('the price version increases only when prices change', async () => {
  expect(harness.snapshots.prices().version).toBe(1)
  await harness.setOption('RetryTimes', '2')
  expect(harness.snapshots.prices().version).toBe(1)
  const before = harness.snapshots.prices()
  await harness.setOption('ModelRatio', '{"gpt-4o":7}')
  expect(harness.snapshots.prices().version).toBe(2)
  const ask = { model: 'gpt-4o', group: 'default', acceptsUnpriced: false }
  expect(harness.snapshots.prices().find(ask)?.rule).toMatchObject({ modelRatio: '7' })
  expect(before.find(ask)?.rule).toMatchObject({ modelRatio: '1.25' })
  const rows = await harness.db.selectFrom('price_books').select('version').execute()
  expect(rows).toHaveLength(2)
})

test('an unreadable stored setting has its default everywhere, and each reload logs it once', async () => {
  await harness.setOption('RetryTimes', 'many')
  await harness.setOption('ModelRatio', '{"gpt-4o":')
  expect(harness.snapshots.settings().retryTimes).toBe(0)
  expect(harness.settings.get('RetryTimes')).toBe(0)
  const ask = { model: 'gpt-4o', group: 'default', acceptsUnpriced: false }
  expect(harness.snapshots.prices().find(ask)?.rule).toMatchObject({ modelRatio: '1.25' })
  expect(harness.settings.get('ModelRatio').get('gpt-4o')).toBe(1.25)
  harness.said.length = 0
  await harness.snapshots.refreshAll()
  expect(harness.said.map(({ option }) => option)).toEqual(['RetryTimes', 'ModelRatio'])
})

test('an invalid stored price is replaced by its default for charging too', async () => {
  await harness.setOption('QuotaPerUnit', '0.5')
  expect(harness.settings.get('QuotaPerUnit')).toBe(500_000)
  const ask = { model: 'gpt-4o', group: 'default', acceptsUnpriced: false }
  expect(harness.snapshots.prices().find(ask)?.quotaPerUnit).toBe('500000')
})

test('a changed setting reaches the relay and the services with the same reload', async () => {
  const before = harness.snapshots.settings()
  expect(harness.snapshots.settings()).toBe(before)
  await harness.setOption('RetryTimes', '4')
  expect(harness.snapshots.settings().retryTimes).toBe(4)
  expect(harness.settings.get('RetryTimes')).toBe(4)
  expect(before.retryTimes).toBe(0)
})

test('a channel whose key cannot be decrypted is left out, and the others serve', async () => {
  const bad = await harness.addChannel('http://a.test')
  const good = await harness.addChannel('http://b.test')
  await harness.db.updateTable('channels').set({ key_sealed: 'v1.AAAA' }).where('id', '=', bad).execute()
  await harness.notices.publish({ entity: 'channel', id: bad })
  expect(ids()).toEqual([good])
  expect(harness.said).toContainEqual(expect.objectContaining({ channelId: bad }))
})

test('a withdrawn channel stays out until its row has a new version', async () => {
  const id = await harness.addChannel('http://a.test')
  harness.snapshots.withdrawChannel(id)
  expect(ids()).toEqual([])
  await harness.snapshots.refreshAll()
  expect(ids()).toEqual([])
  await harness.db.updateTable('channels').set({ version: 2 }).where('id', '=', id).execute()
  await harness.snapshots.refreshAll()
  expect(ids()).toEqual([id])
})

test('a change without a notice is found at the next full reload', async () => {
  const { tokenId, bearer } = await harness.addCaller()
  await harness.db.updateTable('tokens').set({ deleted_ms: 1 }).where('id', '=', tokenId).execute()
  expect((await harness.send({ bearer, body: {} })).status).toBe(400)
  await harness.snapshots.refreshAll()
  expect((await harness.send({ bearer, body: {} })).status).toBe(401)
})
