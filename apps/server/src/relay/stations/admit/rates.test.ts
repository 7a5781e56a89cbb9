import { memoryCoordination } from '@tollgate/coordination/memory-coordination'
import { ManualClock } from '@tollgate/kit/clock'
import { Problem } from '@tollgate/problems/problem'
import { expect, test } from 'vitest'
import { openRates, type CallLimits } from './rates.ts'

function opened() {
  const clock = new ManualClock()
  const coordination = memoryCoordination({ clock, onFailure: () => undefined })
  return { clock, rates: openRates(coordination, () => undefined) }
}

const codeOf = (error: unknown) => (error instanceof Problem ? error.code : error)
const LIMITS: CallLimits = { minutes: 1, calls: 3, successes: 2 }

test('failures count towards the limit of all calls but not towards the limit of successes (new-api mixes the two)', async () => {
  const { rates } = opened()
  const first = await rates.count(1, LIMITS)
  first.failed()
  first.failed()
  await rates.count(1, LIMITS)
  await rates.count(1, LIMITS)
  expect(await rates.count(1, LIMITS).catch(codeOf)).toBe('too_many_calls_in_window')
})

test('successful calls have a separate limit', async () => {
  const { rates } = opened()
  const limits = { ...LIMITS, calls: undefined }
  await rates.count(1, limits)
  await rates.count(1, limits)
  expect(await rates.count(1, limits).catch(codeOf)).toBe('too_many_successes_in_window')
  await rates.count(2, limits)
})

test('simultaneous calls cannot exceed the limit together', async () => {
  const { rates } = opened()
  const limits = { ...LIMITS, calls: undefined }
  const results = await Promise.allSettled(Array.from({ length: 10 }, () => rates.count(1, limits)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
})

test('there is room again when the window has passed, and the refusal says when', async () => {
  const { clock, rates } = opened()
  const limits = { minutes: 1, calls: 1, successes: 5 }
  await rates.count(1, limits)
  const refusal: unknown = await rates.count(1, limits).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ parameters: { minutes: 1, count: 1, seconds: expect.any(Number) } })
  clock.advance(62_000)
  await rates.count(1, limits)
})

test('a changed limit starts a new count', async () => {
  const { rates } = opened()
  await rates.count(1, { ...LIMITS, calls: 1 })
  await rates.count(1, { ...LIMITS, calls: 2 })
})
