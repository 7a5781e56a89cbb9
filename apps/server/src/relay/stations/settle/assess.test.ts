import { inputTokens, noUsage, outputTokens } from '@tollgate/dialects/usage'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { channelWith, heldWith, readingWith } from '../../../../test/relay/parts.ts'
import { verdictOfProblem } from '../attempt/verdict.ts'
import type { StreamEnd, Outcome } from '../../outcome.ts'
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

test('a failed call costs nothing', () => {
  const failed: Outcome = { type: 'failed', failure: verdictOfProblem('do_request_failed') }
  expect(outcome(failed)).toEqual([0n, 'release', []])
  expect(outcome(failed, true)).toEqual([0n, 'release', ['client_gone']])
})

test('a complete response with valid usage is charged its price', () => {
  expect(outcome(delivered('complete'))).toEqual([325n, 'charge', []])
})

test.each([
  ['missing', counted],
  ['of nothing', { ...counted, usage: noUsage }],
  ['insane', { ...counted, usage: { ...noUsage, inputText: 1e9, outputText: -1 } }],
])(
  'a complete response with usage %s is charged by the local count and marked as estimated',
  (_name, reading) => {
    expect(outcome(delivered('complete', reading))).toEqual([160n, 'charge', ['estimated']])
  },
)

test('a response broken after output began is charged for the count so far', () => {
  expect(outcome(delivered('broken', counted))).toEqual([160n, 'charge', ['partial']])
})

test.each(['broken', 'cut', 'cancelled'] as const)(
  '%s: after an early report with less output than was delivered, the delivered output is charged',
  (ending) => {
    const early = { ...noUsage, inputText: 100 }
    const reading = readingWith({ usage: early, outputTokensCounted: 40, isComplete: false })
    expect(outcome(delivered(ending, reading))[0]).toBe(325n)
  },
)

test('a broken response is charged by the report when that has more than was seen, such as reasoning', () => {
  const reading = readingWith({ usage, outputTokensCounted: 7, isComplete: false })
  expect(outcome(delivered('broken', reading))).toEqual([325n, 'charge', ['partial']])
})

test.each([
  // Counted: 100 tokens of input.
  ['that is exclusive of its cache', 30, 60, 30 * 1.25 + 60 * 0.625],
  ['whose input is wrong', 90, 100, 100 * 0.625],
  ['that is exclusive and larger', 90, 95, 95 * 0.625],
])('a report %s is charged by the reading nearer to the own count', (_name, input, cached, inputUnits) => {
  const mended = { isMended: true as const, doubtfulInput: input }
  const report = { ...noUsage, inputText: input, cacheRead: cached, outputText: 40, ...mended }
  const [units, , flags] = outcome(delivered('complete', readingWith({ usage: report })))
  expect([units, flags]).toEqual([BigInt(Math.round(inputUnits + 200)), ['usage_mended']])
})

test('a response broken before any usable output costs nothing', () => {
  const empty = readingWith({ hasOutput: false, isComplete: false })
  expect(outcome(delivered('broken', empty))).toEqual([0n, 'release', []])
})

test('a response cut because of the balance is charged for the count so far', () => {
  expect(outcome(delivered('cut', counted))).toEqual([160n, 'charge', ['cut']])
})

test('a response read to its end after the caller left is charged its price', () => {
  expect(outcome(delivered('complete'), true)).toEqual([325n, 'charge', ['client_gone']])
})

test('a response that the gateway ends after the caller left is charged for the count so far', () => {
  expect(outcome(delivered('cancelled', counted), true)).toEqual([160n, 'charge', ['client_gone', 'partial']])
})

const early = readingWith({ hasOutput: false, isComplete: false })

test.each([
  ['before the upstream reported anything', early, 125n],
  [
    'after a report of more input than was counted',
    { ...early, usage: { ...noUsage, inputText: 300 } },
    375n,
  ],
  ['after a report of less input than was counted', { ...early, usage: { ...noUsage, inputText: 30 } }, 125n],
  ['after output', { ...early, hasOutput: true, outputTokensCounted: 7 }, 160n],
])('a call displaced %s costs at least its counted input', (_name, reading, units) => {
  expect(outcome(delivered('displaced', reading), true)).toEqual([
    units,
    'charge',
    ['client_gone', 'partial'],
  ])
})

test.each([
  [true, 'charge'],
  [undefined, 'release'],
])('a displaced call at a price per call is charged once its upstream accepted it', (isAccepted, type) => {
  const rule = { type: 'call', price: '0.2' } as const
  const held = heldWith({ price: { ...heldWith().price, rule } })
  const exit: Outcome = {
    ...delivered('displaced', early),
    ...(isAccepted !== true && { isUnaccepted: true }),
  }
  expect(assess(held, exit)).toMatchObject({ type, ...(isAccepted && { units: 100_000n }) })
})

test.each([
  ['input is above the context', { ...usage, inputText: 1e9 }, 125n + 200n],
  ['input is negative', { ...usage, inputText: -5 }, 125n + 200n],
  ['output is above the context', { ...usage, outputText: 1e9 }, 125n + 35n],
  ['cached part is above the context', { ...usage, cacheRead: 1e9 }, 125n + 200n],
  ['output was no count', { ...usage, outputText: 0, lost: { output: { least: 0, hidden: 0 } } }, 125n + 35n],
  ['input was no count', { ...usage, inputText: 0, lost: { input: { least: 0 } } }, 125n + 200n],
  [
    'output was no count, and its reasoning is hidden',
    { ...usage, outputText: 50, lost: { output: { least: 0, hidden: 50 } } },
    125n + 285n,
  ],
])('where the %s, the local count stands for that member only', (_name, received, units) => {
  const reading = readingWith({ usage: received, outputTokensCounted: 7 })
  expect(outcome(delivered('complete', reading))).toEqual([units, 'charge', ['estimated']])
})

const isWhole = (value: number) => Number.isSafeInteger(value) && value >= 0
const isGood = (value: number) => isWhole(value) && value <= 128_000

test('each member of any report is charged as reported, or replaced by the local count and marked', () => {
  const count = fc.oneof(
    fc.nat(120_000),
    fc.constantFrom(-1, 0.5, 128_001, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY),
  )
  const reported = fc.record({
    inputText: count,
    cacheRead: count,
    cacheWrite5m: count,
    outputText: count,
    toolCalls: fc.option(fc.record({ web_search: count }), { nil: undefined }),
  })
  fc.assert(
    fc.property(reported, ({ toolCalls, ...buckets }) => {
      const received = { ...noUsage, ...buckets, ...(toolCalls && { toolCalls }) }
      const held = heldWith()
      const reading = readingWith({ usage: received, outputTokensCounted: 7 })
      const result = assess(held, delivered('complete', reading))
      if (result.type !== 'charge') throw new Error('a complete response is charged')
      const parts = Object.values(buckets)
      const isNothing = parts.every((part) => !isGood(part) || part === 0)
      const isWhollyGood = parts.every(isGood) && isWhole(toolCalls?.web_search ?? 0) && !isNothing
      expect(result.flags).toEqual(isWhollyGood ? [] : ['estimated'])
      if (isNothing) {
        expect(result.units).toBe(160n)
        return
      }
      const { inputText, cacheRead, cacheWrite5m, outputText } = buckets
      const inputs = [inputText, cacheRead, cacheWrite5m]
      const known = inputs.filter(isGood).reduce((sum, part) => sum + part, 0)
      const input = inputs.every(isGood) ? known : Math.max(known, 100)
      expect(inputTokens(result.usage)).toBe(input)
      expect(outputTokens(result.usage)).toBe(isGood(outputText) ? outputText : 7)
    }),
  )
})
