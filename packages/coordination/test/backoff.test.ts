import { ManualClock } from '@tollgate/kit/clock'
import { memoryBackoff } from '@tollgate/coordination/memory-backoff'
import { afterAll, describe, expect, test } from 'vitest'
import { implementations } from './implementations.ts'

const all = await implementations()
afterAll(() => Promise.all(all.map((implementation) => implementation.close())))

const OPTIONS = { free: 5, firstMs: 1000, maxMs: 60_000, forgetMs: 3_600_000, keysMax: 100 }

describe.each(all)('a backoff over $label', (implementation) => {
  test('five attempts are free, then the wait doubles from one second to a minute', async () => {
    const clock = new ManualClock()
    const backoff = implementation.backoff(OPTIONS, clock)
    const waits: number[] = []
    while (waits.length < 14) {
      const { allowed, retryAfterMs } = await backoff.attempt('a')
      if (allowed) waits.push(0)
      else waits[waits.length - 1] = retryAfterMs
      clock.advance(retryAfterMs)
    }
    const doubled = [1, 2, 4, 8, 16, 32, 60, 60, 60].map((seconds) => seconds * 1000)
    expect(waits.slice(0, -1)).toEqual([0, 0, 0, 0, ...doubled])
  })

  test('concurrent attempts are counted one by one, and a rejected attempt is not counted', async () => {
    const clock = new ManualClock()
    const backoff = implementation.backoff(OPTIONS, clock)
    const decisions = await Promise.all(Array.from({ length: 50 }, () => backoff.attempt('a')))
    expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(5)
    expect((await backoff.attempt('b')).allowed).toBe(true)
    clock.advance(999)
    expect(await backoff.attempt('a')).toEqual({ allowed: false, retryAfterMs: 1 })
    clock.advance(1)
    expect((await backoff.attempt('a')).allowed).toBe(true)
  })

  test('an attempt that is taken back does not count, and a reset forgets all attempts', async () => {
    const backoff = implementation.backoff(OPTIONS, new ManualClock())
    for (let tries = 0; tries < 20; tries++) {
      expect((await backoff.attempt('a')).allowed).toBe(true)
      await backoff.takeBack('a')
    }
    for (let tries = 0; tries < 5; tries++) await backoff.attempt('a')
    expect((await backoff.attempt('a')).allowed).toBe(false)
    await backoff.reset('a')
    await backoff.takeBack('nobody')
    expect((await backoff.attempt('a')).allowed).toBe(true)
  })
})

test('attempts in memory expire, and with too many keys the least recently used one is forgotten', async () => {
  const clock = new ManualClock()
  const backoff = memoryBackoff(OPTIONS, clock)
  const exhaust = async (key: string) => {
    for (let tries = 0; tries < 5; tries++) await backoff.attempt(key)
  }
  await exhaust('a')
  clock.advance(OPTIONS.forgetMs)
  await exhaust('a')
  expect((await backoff.attempt('a')).allowed).toBe(false)
  await exhaust('idle')
  for (let other = 0; other < 99; other++) {
    await backoff.attempt(`other ${other}`)
    await backoff.takeBack('a')
    await backoff.attempt('a')
  }
  expect((await backoff.attempt('a')).allowed).toBe(false)
  expect((await backoff.attempt('idle')).allowed).toBe(true)
})
