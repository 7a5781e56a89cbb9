import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { openHub } from '@tollgate/coordination/hub'
import { hubCoordination } from '@tollgate/coordination/hub-coordination'
import { memoryTtlCache } from '@tollgate/coordination/memory-ttl-cache'
import { redisTtlCache } from '@tollgate/coordination/redis-ttl-cache'
import { ManualClock } from '@tollgate/kit/clock'
import { afterAll, describe, expect, test } from 'vitest'
import { implementations, joinHub, openTestLink, redis, removeKeys } from './implementations.ts'

const MINUTE_MS = 60_000
const OPTIONS = { lifetimeMs: MINUTE_MS, entriesMax: 100, bytesMax: 10_000, valueBytesMax: 1_000 }
const all = await implementations()
afterAll(() => Promise.all(all.map((implementation) => implementation.close())))

describe.each(all)('a TTL cache over $label', (implementation) => {
  const clock = new ManualClock()

  test('a value can be read as often as needed', async () => {
    const ttlCache = implementation.ttlCache(OPTIONS, clock)
    ttlCache.put('a', 'first')
    ttlCache.put('b', '雪 "quoted"\r\n\0')
    ttlCache.put('a', 'second')
    const found = [
      ['a', 'second'],
      ['b', '雪 "quoted"\r\n\0'],
    ]
    expect([...(await ttlCache.find(['a', 'unknown', 'b']))]).toEqual(found)
    expect([...(await ttlCache.find(['a', 'b']))]).toEqual(found)
    expect(await ttlCache.get('a')).toBe('second')
    expect(await ttlCache.get('unknown')).toBeUndefined()
    expect((await ttlCache.find([])).size).toBe(0)
  })

  test('a value that is expired or too large is not returned', async () => {
    const ttlCache = implementation.ttlCache({ ...OPTIONS, lifetimeMs: 100 }, clock)
    ttlCache.put('large', 'x'.repeat(1_001))
    ttlCache.put('small', 'x'.repeat(1_000))
    expect([...(await ttlCache.find(['large', 'small'])).keys()]).toEqual(['small'])
    expect(await ttlCache.get('large')).toBeUndefined()
    clock.advance(100)
    if (!implementation.movesClock) await sleep(120)
    expect((await ttlCache.find(['small'])).size).toBe(0)
    expect(await ttlCache.get('small')).toBeUndefined()
  })
})

test('a full cache in memory forgets the values that were put first, also after it was cleared', async () => {
  const clock = new ManualClock()
  const ttlCache = memoryTtlCache({ ...OPTIONS, entriesMax: 3 }, clock)
  const kept = async () => [...(await ttlCache.find(['a', 'b', 'c', 'd', 'e', 'f'])).keys()].join('')
  for (const key of ['a', 'b', 'c', 'd']) ttlCache.put(key, key)
  expect(await kept()).toBe('bcd')
  ttlCache.put('b', 'again')
  ttlCache.put('e', 'e')
  expect(await kept()).toBe('bde')
  ttlCache.remove('d')
  ttlCache.put('f', 'f')
  expect(await kept()).toBe('bef')
  await ttlCache.clear()
  expect(await ttlCache.count()).toBe(0)
  for (const key of ['a', 'b', 'c', 'd']) ttlCache.put(key, key)
  expect(await kept()).toBe('bcd')
  clock.advance(OPTIONS.lifetimeMs)
  expect(await ttlCache.count()).toBe(0)
  for (const key of ['a', 'b', 'c', 'd']) ttlCache.put(key, key)
  expect(await kept()).toBe('bcd')
})

describe.each(all)('values of a cache over $label', (implementation) => {
  const clock = new ManualClock()

  test('have a lifetime of their own, are removed, counted and cleared', async () => {
    for (const nearMs of [undefined, 50]) {
      const ttlCache = implementation.ttlCache({ ...OPTIONS, nearMs }, clock)
      ttlCache.put('long', '1')
      ttlCache.put('short', '2', 100)
      ttlCache.put('removed', '3')
      ttlCache.remove('removed')
      expect([...(await ttlCache.find(['long', 'short', 'removed'])).keys()]).toEqual(['long', 'short'])
      clock.advance(100)
      if (!implementation.movesClock) await sleep(120)
      expect([...(await ttlCache.find(['long', 'short'])).keys()]).toEqual(['long'])
      ttlCache.put('short', '4')
      await expect.poll(() => ttlCache.count()).toBe(2)
      expect(await ttlCache.clear()).toBe(2)
      expect(await ttlCache.count()).toBe(0)
      expect((await ttlCache.find(['long', 'short'])).size).toBe(0)
    }
  })
})

test('a cache with near copies reads again after their time, and does not bring back what was removed', async () => {
  const clock = new ManualClock()
  const hub = openHub(clock)
  const join = () =>
    hubCoordination({ calls: joinHub(hub).near, onFailure: () => undefined, clock }).ttlCache('a', {
      ...OPTIONS,
      nearMs: 1_000,
    })
  const [here, there] = [join(), join()]
  here.put('key', 'first')
  there.put('key', 'second')
  expect([...(await here.find(['key'])).values()]).toEqual(['first'])
  clock.advance(1_000)
  expect([...(await here.find(['key'])).values()]).toEqual(['second'])
  there.remove('key')
  clock.advance(1_000)
  expect((await here.find(['key'])).size).toBe(0)
})

const keysOf = (count: number) => Array.from({ length: count }, (_, at) => `key-${at}`)

test('memory is bounded by entries and by bytes, and the oldest entry is evicted first', async () => {
  const clock = new ManualClock()
  const few = memoryTtlCache(OPTIONS, clock)
  for (const key of keysOf(150)) few.put(key, 'value')
  expect([...(await few.find(keysOf(150))).keys()]).toEqual(keysOf(150).slice(50))
  const large = memoryTtlCache(OPTIONS, clock)
  for (const key of keysOf(20)) large.put(key, 'x'.repeat(900))
  expect([...(await large.find(keysOf(20))).keys()]).toEqual(keysOf(20).slice(9))
  for (let i = 0; i < 50; i++) large.put('key-19', 'x'.repeat(900))
  expect((await large.find(keysOf(20))).size).toBe(11)
})

test('processes on one machine share one cache, and a cache without its hub is empty', async () => {
  const hub = openHub(new ManualClock())
  const join = () => {
    const { near, leave } = joinHub(hub)
    return {
      leave,
      near,
      ttlCache: hubCoordination({ calls: near, onFailure: () => undefined }).ttlCache('a', OPTIONS),
    }
  }
  const [first, second] = [join(), join()]
  first.ttlCache.put('key', 'value')
  expect([...(await second.ttlCache.find(['key']))]).toEqual([['key', 'value']])
  second.near.end(new Error('the hub is gone'))
  second.ttlCache.put('key', 'other')
  expect((await second.ttlCache.find(['key'])).size).toBe(0)
})

test.runIf(redis)(
  'a cache over Redis is shared, and a process keeps its own values while Redis is down',
  async () => {
    const url = redis?.url ?? ''
    const prefix = `tollgate-test:${randomUUID()}:`
    const [one, other] = await Promise.all([openTestLink(url, { prefix }), openTestLink(url, { prefix })])
    const shelfOver = (link: typeof one) =>
      redisTtlCache(OPTIONS, { link, name: 'a', clock: new ManualClock() })
    const [here, there] = [shelfOver(one), shelfOver(other)]
    here.put('key', 'value')
    expect([...(await there.find(['key', 'unknown']))]).toEqual([['key', 'value']])
    one.close()
    here.put('late', 'value')
    expect([...(await here.find(['key', 'late', 'unknown'])).keys()]).toEqual(['key', 'late'])
    other.close()
    expect((await there.find(['key'])).size).toBe(0)
    await removeKeys(url, prefix)
  },
)

test.runIf(redis)(
  'a cache whose values are replaced by several processes reads from Redis every time',
  async () => {
    const url = redis?.url ?? ''
    const prefix = `tollgate-test:${randomUUID()}:`
    const [one, other] = await Promise.all([openTestLink(url, { prefix }), openTestLink(url, { prefix })])
    const options = { ...OPTIONS, isReplaced: true }
    const shelfOver = (link: typeof one) =>
      redisTtlCache(options, { link, name: 'a', clock: new ManualClock() })
    const [here, there] = [shelfOver(one), shelfOver(other)]
    here.put('key', 'first')
    await here.find(['key'])
    there.put('key', 'second')
    await there.find(['key'])
    expect([...(await here.find(['key']))]).toEqual([['key', 'second']])
    one.close()
    expect([...(await here.find(['key']))]).toEqual([['key', 'first']])
    other.close()
    await removeKeys(url, prefix)
  },
)

test.runIf(redis)(
  'a near cache over Redis follows the others, and uses its own values without Redis',
  async () => {
    const url = redis?.url ?? ''
    const prefix = `tollgate-test:${randomUUID()}:[*]:`
    const clock = new ManualClock()
    const [one, other] = await Promise.all([openTestLink(url, { prefix }), openTestLink(url, { prefix })])
    const cacheOver = (link: typeof one) =>
      redisTtlCache({ ...OPTIONS, nearMs: 1_000 }, { link, name: 'a', clock })
    const [here, there] = [cacheOver(one), cacheOver(other)]
    here.put('key', 'first')
    here.put('gone', 'value')
    await here.find(['unknown'])
    there.put('key', 'second')
    there.remove('gone')
    await there.find(['unknown'])
    expect(Object.fromEntries(await here.find(['key', 'gone']))).toEqual({ key: 'first', gone: 'value' })
    clock.advance(1_000)
    expect(Object.fromEntries(await here.find(['key', 'gone']))).toEqual({ key: 'second' })
    expect(await there.count()).toBe(1)
    one.close()
    clock.advance(1_000)
    expect(Object.fromEntries(await here.find(['key']))).toEqual({ key: 'first' })
    expect(await there.clear()).toBe(1)
    other.close()
    expect(await there.clear()).toBe(0)
    await removeKeys(url, prefix.slice(0, -4))
  },
)

test('a copy of a recent value is there at once, without asking the shared cache', async () => {
  const clock = new ManualClock()
  const { near } = joinHub(openHub(clock))
  const ttlCache = hubCoordination({ calls: near, onFailure: () => undefined }).ttlCache('a', {
    ...OPTIONS,
    nearMs: 50,
  })
  ttlCache.put('a', '1')
  expect(ttlCache.get('a')).toBe('1')
})
