import { noUsage } from '@tollgate/dialects/usage'
import { isCount } from '@tollgate/billing/model-limits'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { channelWith, heldWith, readingWith } from '../../../test/relay/parts.ts'
import { verdictOfProblem } from '../attempt/verdict.ts'
import type { StreamEnd, Outcome } from '../outcome.ts'
import { assess } from './assess.ts'

const usage = { ...noUsage, inputText: 100, outputText: 40 }
const delivered = (ending: StreamEnd, reading = readingWith({ usage })): Outcome => ({
  type: 'delivered',
  ending,
  reading,
  channel: channelWith(),
  upstreamModel: 'gpt-4o',
})
const counted = readingWith({ outputTokensCounted: 7 })

function outcome(exit: Outcome, isGone = false) {
  const held = heldWith()
  if (isGone) held.call.goneAt = 1
  const result = assess(held, exit)
  return [result.type === 'charge' ? result.units : 0n, result.type, result.flags]
}

test('failed: nothing', () => {
  const failed: Outcome = { type: 'failed', failure: verdictOfProblem('do_request_failed') }
  expect(outcome(failed)).toEqual([0n, 'release', []])
  expect(outcome(failed, true)).toEqual([0n, 'release', ['client_gone']])
})

test('complete with sane usage: its price', () => {
  expect(outcome(delivered('complete'))).toEqual([325n, 'charge', []])
})

test.each([
  ['missing', counted],
  ['of nothing', { ...counted, usage: noUsage }],
  ['insane', { ...counted, usage: { ...usage, inputText: 1e9 } }],
])('complete with usage %s: the local count, marked', (_name, reading) => {
  expect(outcome(delivered('complete', reading))).toEqual([160n, 'charge', ['estimated']])
})

test('broken after output: what was counted so far', () => {
  expect(outcome(delivered('broken', counted))).toEqual([160n, 'charge', ['partial']])
})

test.each(['broken', 'cut', 'cancelled'] as const)(
  '%s after an early report that knows less than was handed on: what was counted',
  (ending) => {
    const early = { ...noUsage, inputText: 100 }
    const reading = readingWith({ usage: early, outputTokensCounted: 40, isComplete: false })
    expect(outcome(delivered(ending, reading))[0]).toBe(325n)
  },
)

test('broken after a report that knows of more than was seen, such as reasoning: the report', () => {
  const reading = readingWith({ usage, outputTokensCounted: 7, isComplete: false })
  expect(outcome(delivered('broken', reading))).toEqual([325n, 'charge', ['partial']])
})

test('broken before anything usable: nothing', () => {
  const empty = readingWith({ hasOutput: false, isComplete: false })
  expect(outcome(delivered('broken', empty))).toEqual([0n, 'release', []])
})

test('cut by the balance: counted so far', () => {
  expect(outcome(delivered('cut', counted))).toEqual([160n, 'charge', ['cut']])
})

test('the caller left and the answer was read to its end: its price', () => {
  expect(outcome(delivered('complete'), true)).toEqual([325n, 'charge', ['client_gone']])
})

test('the caller left and the drain limit was reached: counted so far', () => {
  expect(outcome(delivered('cancelled', counted), true)).toEqual([160n, 'charge', ['client_gone', 'partial']])
})

test('whatever an upstream reports, the charge is that of a count: the reported one or, marked, our own', () => {
  const count = fc.oneof(
    fc.nat(200_000),
    fc.constantFrom(-1, 0.5, 128_000, 128_001, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY),
  )
  const reported = fc.record({
    inputText: count,
    cacheRead: count,
    cacheWrite5m: count,
    inputAudio: count,
    outputText: count,
    outputAudio: count,
    toolCalls: fc.option(fc.record({ web_search: count }), { nil: undefined }),
  })
  fc.assert(
    fc.property(reported, ({ toolCalls, ...buckets }) => {
      const told = { ...noUsage, ...buckets, ...(toolCalls && { toolCalls }) }
      const held = heldWith()
      const reading = readingWith({ usage: told, outputTokensCounted: 7 })
      const result = assess(held, delivered('complete', reading))
      const isNothing = Object.values(buckets).every((part) => part === 0)
      const isBelieved = isCount(told, held.bounds) && !isNothing
      expect(result.flags).toEqual(isBelieved ? [] : ['estimated'])
      const units = result.type === 'charge' ? result.units : 0n
      expect(units).toBeGreaterThanOrEqual(1n)
      if (!isBelieved) expect(units).toBe(160n)
    }),
  )
})
