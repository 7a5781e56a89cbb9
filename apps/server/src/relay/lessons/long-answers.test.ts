import { memoryTtlCache } from '@tollgate/coordination/memory-ttl-cache'
import { ManualClock } from '@tollgate/kit/clock'
import { expect, it } from 'vitest'
import { LONG_ANSWERS_LIFETIME_MS, LongAnswers } from './long-answers.ts'

it('a long answer counts for its channel and model for thirty days, in every process', async () => {
  const clock = new ManualClock()
  let shared: ReturnType<typeof memoryTtlCache> | undefined
  const deps = {
    clock,
    ttlCache: (_name: string, options: Parameters<typeof memoryTtlCache>[0]) =>
      (shared ??= memoryTtlCache(options, clock)),
  }
  const [here, elsewhere] = [new LongAnswers(deps), new LongAnswers(deps)]
  expect(here.has(7, 'm')).toBe(false)
  here.note(7, 'm')
  expect([here.has(7, 'm'), here.has(8, 'm'), here.has(7, 'other')]).toEqual([true, false, false])
  elsewhere.has(7, 'm')
  await new Promise((resolve) => setImmediate(resolve))
  expect(elsewhere.has(7, 'm')).toBe(true)
  clock.advance(LONG_ANSWERS_LIFETIME_MS)
  expect([here.has(7, 'm'), elsewhere.has(7, 'm')]).toEqual([false, false])
})
