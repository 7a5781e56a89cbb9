import { expect, it } from 'vitest'
import { merged } from './split-load.ts'

it('merges the load on two nodes: requests add up, times are weighted, the worst p99 counts', () => {
  const one = { requests: 300, seconds: 2, medianMs: 1, p99Ms: 9, failures: 1 }
  const other = { requests: 100, seconds: 2.1, medianMs: 3, p99Ms: 5, failures: 0 }
  expect(merged([one, other])).toEqual({ requests: 400, seconds: 2.1, medianMs: 1.5, p99Ms: 9, failures: 1 })
})
