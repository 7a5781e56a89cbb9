import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { regularly } from './regularly.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('reports a failure that lasts once, and again after a success or for another reason', async () => {
  const results: (Error | undefined)[] = [
    new Error('down'),
    new Error('down'),
    new Error('refused'),
    undefined,
    new Error('refused'),
  ]
  const failures: string[] = []
  let runs = 0
  const work = async () => {
    const result = results[runs++]
    if (result) throw result
  }
  const stop = regularly(100, work, (error) => failures.push(String(error)))
  await vi.advanceTimersByTimeAsync(500)
  stop()
  await vi.advanceTimersByTimeAsync(500)
  expect(runs).toBe(5)
  expect(failures).toEqual(['Error: down', 'Error: refused', 'Error: refused'])
})
