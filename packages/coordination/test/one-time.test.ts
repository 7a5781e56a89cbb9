import { setTimeout as sleep } from 'node:timers/promises'
import { randomUUID } from 'node:crypto'
import { ManualClock } from '@tollgate/kit/clock'
import { memoryOneTime } from '@tollgate/coordination/memory-one-time'
import { afterAll, describe, expect, test } from 'vitest'
import { implementations } from './implementations.ts'

const MINUTE_MS = 60_000
const all = await implementations()
afterAll(() => Promise.all(all.map((implementation) => implementation.close())))

describe.each(all)('one-time values over $label', (implementation) => {
  const clock = new ManualClock()
  const store = implementation.oneTime(clock)
  const key = randomUUID

  test('a stored value can be taken once', async () => {
    const code = key()
    expect(await store.put(code, 'who it was for', MINUTE_MS)).toBe(true)
    expect(await store.take(code)).toBe('who it was for')
    expect(await store.take(code)).toBeUndefined()
    expect(await store.take(key())).toBeUndefined()
  })

  test('an existing key is not replaced, and a taken key can be stored again', async () => {
    const nonce = key()
    await store.put(nonce, 'first', MINUTE_MS)
    expect(await store.put(nonce, 'second', MINUTE_MS)).toBe(false)
    expect(await store.take(nonce)).toBe('first')
    expect(await store.put(nonce, 'third', MINUTE_MS)).toBe(true)
    expect(await store.take(nonce)).toBe('third')
  })

  test('of many concurrent takes or puts exactly one succeeds', async () => {
    const code = key()
    await store.put(code, 'value', MINUTE_MS)
    const taken = await Promise.all(Array.from({ length: 100 }, () => store.take(code)))
    expect(taken.filter((value) => value !== undefined)).toEqual(['value'])
    const puts = await Promise.all(Array.from({ length: 100 }, () => store.put(code, 'again', MINUTE_MS)))
    expect(puts.filter(Boolean)).toHaveLength(1)
    await store.take(code)
  })

  test('a value is gone after its lifetime', async () => {
    const code = key()
    await store.put(code, 'value', 100)
    if (implementation.movesClock) clock.advance(100)
    else await sleep(120)
    expect(await store.take(code)).toBeUndefined()
    expect(await store.put(code, 'value', MINUTE_MS)).toBe(true)
    await store.take(code)
  })

  test('any text can be a value, including the empty text', async () => {
    const code = key()
    for (const value of ['', '雪 "quoted"\r\n\0', 'x'.repeat(100_000)]) {
      await store.put(code, value, MINUTE_MS)
      expect(await store.take(code)).toBe(value)
    }
  })
})

test('memory is bounded, and the oldest entry is dropped first', async () => {
  const store = memoryOneTime(new ManualClock(), 100)
  for (let i = 0; i < 150; i++) await store.put(String(i), 'value', MINUTE_MS)
  expect(await store.take('49')).toBeUndefined()
  expect(await store.take('50')).toBe('value')
})
