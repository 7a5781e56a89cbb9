import { afterEach, expect, it, vi } from 'vitest'
import { isOfRun, isOfRunBefore, newName, newRun, TEST_RUN } from './database-names.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.useRealTimers()
})

it('a name tells the run and when it began', () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 28) })
  const run = newRun()
  vi.stubEnv(TEST_RUN, run)
  const name = newName()
  expect(name).toMatch(/^[0-9a-z_]{20,63}$/)
  expect(isOfRun(name, run)).toBe(true)
  expect(isOfRun(name, newRun())).toBe(false)

  vi.advanceTimersByTime(59_000)
  expect(isOfRunBefore(name, 60)).toBe(false)
  vi.advanceTimersByTime(1_000)
  expect(isOfRunBefore(name, 60)).toBe(true)
})

it('a name outside of a run belongs to none', () => {
  vi.stubEnv(TEST_RUN, undefined)
  const name = newName()
  expect(isOfRun(name, newRun())).toBe(false)
  expect(isOfRunBefore(name, 0)).toBe(false)
})
