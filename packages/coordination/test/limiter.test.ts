import { ManualClock } from '@tollgate/kit/clock'
import { memoryLimiter } from '@tollgate/coordination/memory-limiter'
import * as fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { implementations } from './implementations.ts'

const MINUTE_MS = 60_000
const all = await implementations()
afterAll(() => Promise.all(all.map((implementation) => implementation.close())))

describe.each(all)('a limiter over $label', (implementation) => {
  test('exactly the limit is allowed under concurrency', async () => {
    const limiter = implementation.limiter({ limit: 10, windowMs: MINUTE_MS }, new ManualClock())
    const decisions = await Promise.all(Array.from({ length: 200 }, () => limiter.consume('user:1')))
    expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(10)
  })

  test('each key has its own count', async () => {
    const limiter = implementation.limiter({ limit: 1, windowMs: MINUTE_MS }, new ManualClock())
    await limiter.consume('a')
    expect(await limiter.consume('b')).toEqual({ allowed: true, retryAfterMs: 0 })
  })

  test('a rejected call reports when it would fit, and succeeds exactly then', async () => {
    const clock = new ManualClock()
    const limiter = implementation.limiter({ limit: 3, windowMs: MINUTE_MS }, clock)
    for (const _ of Array(3)) await limiter.consume('a')
    const refused = await limiter.consume('a')
    expect(refused.allowed).toBe(false)
    expect(refused.retryAfterMs).toBeGreaterThan(0)
    expect(refused.retryAfterMs).toBeLessThanOrEqual(MINUTE_MS)
    clock.advance(refused.retryAfterMs - 1)
    expect((await limiter.consume('a')).allowed).toBe(false)
    clock.advance(1)
    expect((await limiter.consume('a')).allowed).toBe(true)
  })

  test('a rejected call is not counted', async () => {
    const clock = new ManualClock()
    const limiter = implementation.limiter({ limit: 2, windowMs: MINUTE_MS }, clock)
    await limiter.consume('a', 2)
    for (const _ of Array(50)) await limiter.consume('a')
    clock.advance(MINUTE_MS)
    expect((await limiter.consume('a', 2)).allowed).toBe(true)
  })

  test('refunded units can be used again', async () => {
    const limiter = implementation.limiter({ limit: 2, windowMs: MINUTE_MS }, new ManualClock())
    await limiter.consume('a')
    await limiter.consume('a')
    await limiter.refund('a')
    await limiter.refund('nobody')
    expect((await limiter.consume('a')).allowed).toBe(true)
    expect((await limiter.consume('a')).allowed).toBe(false)
  })

  test('a key may have its own limit, and units counted earlier stay counted when that limit changes', async () => {
    const limiter = implementation.limiter({ limit: 0, windowMs: MINUTE_MS }, new ManualClock())
    const decisions = await Promise.all(Array.from({ length: 20 }, () => limiter.consume('a', 2, 7)))
    expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(3)
    expect((await limiter.consume('a', 1, 6)).allowed).toBe(false)
    expect((await limiter.consume('b', 1, 6)).allowed).toBe(true)
    // Cost that was already incurred is counted without any limit.
    expect((await limiter.consume('a', 90, Number.MAX_SAFE_INTEGER)).allowed).toBe(true)
    await limiter.refund('a', 92)
    expect((await limiter.consume('a', 3, 7)).allowed).toBe(true)
    expect((await limiter.consume('a', 1, 7)).allowed).toBe(false)
  })

  test('a limit of zero allows nothing, and a cost above the limit never fits', async () => {
    const none = implementation.limiter({ limit: 0, windowMs: MINUTE_MS }, new ManualClock())
    expect(await none.consume('a')).toEqual({ allowed: false, retryAfterMs: MINUTE_MS })
    const five = implementation.limiter({ limit: 5, windowMs: MINUTE_MS }, new ManualClock())
    expect(await five.consume('a', 6)).toEqual({ allowed: false, retryAfterMs: MINUTE_MS })
  })

  test('the limiter agrees with a list of exact times to within one slice', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 8 }),
        fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 60 }),
        async (limit, pauses) => {
          const clock = new ManualClock(0)
          const limiter = implementation.limiter({ limit, windowMs: MINUTE_MS }, clock)
          const passed: number[] = []
          for (const pause of pauses) {
            clock.advance(pause)
            const nowMs = clock.nowMs()
            const within = (windowMs: number) => passed.filter((time) => time > nowMs - windowMs).length
            const { allowed } = await limiter.consume('a')
            if (allowed) expect(within(MINUTE_MS - MINUTE_MS / 60)).toBeLessThan(limit)
            else expect(within(MINUTE_MS)).toBeGreaterThanOrEqual(limit)
            if (allowed) passed.push(nowMs)
          }
        },
      ),
      { numRuns: implementation.label === 'memory' ? 2000 : 100 },
    )
  })
})

test('beyond keysMax the least recently used key is forgotten, a busy key is not', async () => {
  const limiter = memoryLimiter({ limit: 1, windowMs: MINUTE_MS, keysMax: 100 }, new ManualClock())
  await limiter.consume('busy')
  await limiter.consume('idle')
  for (let i = 0; i < 99; i++) {
    await limiter.consume(`stranger:${i}`)
    await limiter.consume('busy')
  }
  expect((await limiter.consume('busy')).allowed).toBe(false)
  expect((await limiter.consume('idle')).allowed).toBe(true)
})
