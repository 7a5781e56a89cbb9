import { memoryCoordination } from '@tollgate/coordination/memory-coordination'
import { ManualClock } from '@tollgate/kit/clock'
import { Problem } from '@tollgate/kit/problem'
import { expect, test } from 'vitest'
import { openRates, type CallLimits } from './rates.ts'

function opened() {
  const clock = new ManualClock()
  const coordination = memoryCoordination({ clock, onFailure: () => undefined })
  return { clock, rates: openRates(coordination, () => undefined) }
}

const codeOf = (error: unknown) => (error instanceof Problem ? error.code : error)
const LIMITS: CallLimits = { minutes: 1, calls: 3, successes: 2 }

test('relay 13: failures count among all calls and not among the successes, which the reference system confused', async () => {
  const { rates } = opened()
  const first = await rates.count(1, LIMITS)
  first.failed()
  first.failed()
  await rates.count(1, LIMITS)
  await rates.count(1, LIMITS)
  expect(await rates.count(1, LIMITS).catch(codeOf)).toBe('too_many_calls_in_window')
})

test('successes have a limit of their own', async () => {
  const { rates } = opened()
  const limits = { ...LIMITS, calls: undefined }
  await rates.count(1, limits)
  await rates.count(1, limits)
  expect(await rates.count(1, limits).catch(codeOf)).toBe('too_many_successes_in_window')
  await rates.count(2, limits)
})

test('relay 13: calls at the same time do not get past the limit together', async () => {
  const { rates } = opened()
  const limits = { ...LIMITS, calls: undefined }
  const results = await Promise.allSettled(Array.from({ length: 10 }, () => rates.count(1, limits)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
})

test('there is room again when the window has passed, and a caller is told when', async () => {
  const { clock, rates } = opened()
  const limits = { minutes: 1, calls: 1, successes: 5 }
  await rates.count(1, limits)
  const refusal: unknown = await rates.count(1, limits).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ parameters: { minutes: 1, count: 1, seconds: expect.any(Number) } })
  clock.advance(62_000)
  await rates.count(1, limits)
})

test('a new limit counts from its change on', async () => {
  const { rates } = opened()
  await rates.count(1, { ...LIMITS, calls: 1 })
  await rates.count(1, { ...LIMITS, calls: 2 })
})
