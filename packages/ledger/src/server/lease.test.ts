import { expect, it } from 'vitest'
import { Lease } from './lease.ts'

const LIMIT_MS = 20_000

/** Both clocks, each settable on its own. */
function clocks() {
  const time = { wallMs: 1_000_000, monotonicMs: 500 }
  const clock = { nowMs: () => time.wallMs, monotonicMs: () => time.monotonicMs }
  const pass = (ms: number): void => {
    time.wallMs += ms
    time.monotonicMs += ms
  }
  return { time, pass, lease: new Lease(clock, LIMIT_MS) }
}

it('a process without a confirmed heartbeat holds no lease', () => {
  expect(clocks().lease.isHeld()).toBe(false)
})

it('a lease is counted from before its heartbeat was sent', () => {
  const { lease, pass } = clocks()
  const sent = lease.now()
  pass(15_000)
  lease.confirm(sent)
  pass(4_999)
  expect(lease.isHeld()).toBe(true)
  pass(1)
  expect(lease.isHeld()).toBe(false)
})

it('a heartbeat that is confirmed late does not shorten the lease', () => {
  const { lease, pass } = clocks()
  const first = lease.now()
  pass(10_000)
  lease.confirm(lease.now())
  lease.confirm(first)
  pass(15_000)
  expect(lease.isHeld()).toBe(true)
})

it('a suspended machine, whose monotonic clock stood still, holds no lease', () => {
  const { lease, time } = clocks()
  lease.confirm(lease.now())
  time.wallMs += 600_000
  expect(lease.isHeld()).toBe(false)
})

it('a wall clock that is set back does not prolong a lease', () => {
  const { lease, time } = clocks()
  lease.confirm(lease.now())
  time.monotonicMs += LIMIT_MS
  time.wallMs -= 600_000
  expect(lease.isHeld()).toBe(false)
})
