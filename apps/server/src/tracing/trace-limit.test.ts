import { expect, test } from 'vitest'
import { TraceLimit } from './trace-limit.ts'

const granted = (limit: TraceLimit, ...times: number[]) => times.map((at) => limit.take(at))

test('as many traces as the limit are granted in each second', () => {
  const limit = new TraceLimit(2)
  expect(granted(limit, 10, 500, 999)).toEqual([true, true, false])
  expect(granted(limit, 1000, 1001, 1999)).toEqual([true, true, false])
  expect(granted(limit, 2000)).toEqual([true])
})

test('a time of an earlier second, such as the start of a long call, begins no new second', () => {
  expect(granted(new TraceLimit(1), 5000, 4999, 5001)).toEqual([true, false, false])
})

test('0 is no limit', () => {
  const limit = new TraceLimit(0)
  expect(granted(limit, ...Array<number>(1000).fill(1))).not.toContain(false)
})
