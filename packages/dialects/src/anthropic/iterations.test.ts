import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { inputTokens, outputTokens, type Usage } from '../usage.ts'
import { usageOf } from './usage.ts'

const step = (type: string, input: number, output: number, more: object = {}) => ({
  type,
  input_tokens: input,
  output_tokens: output,
  ...more,
})

const counts = (each: Usage): number[] => [inputTokens(each), outputTokens(each)]

/** What is billed: each part as `[kind, model, input, output]`, the answer first. */
function billed(input: number, output: number, iterations: unknown, more: object = {}) {
  const usage = usageOf({ input_tokens: input, output_tokens: output, iterations, ...more })
  return [
    usage && counts(usage),
    ...(usage?.parts ?? []).map((part) => [part.kind, part.model, ...counts(part.usage)]),
  ]
}

test('a summary of the conversation is billed beside the answer', () => {
  const steps = [step('compaction', 180_000, 3_500), step('message', 23_000, 1_000)]
  expect(billed(23_000, 1_000, steps)).toEqual([
    [23_000, 1_000],
    ['compaction', undefined, 180_000, 3_500],
  ])
})

test('several summaries are one part', () => {
  const steps = [
    step('compaction', 100, 10),
    step('message', 9, 1),
    step('compaction', 50, 5),
    step('message', 9, 1),
  ]
  expect(billed(18, 2, steps)).toEqual([
    [18, 2],
    ['compaction', undefined, 150, 15],
  ])
})

test('an advisor is billed at its own model', () => {
  const advice = step('advisor_message', 8_000, 1_500, { model: 'claude-opus-5' })
  expect(billed(100, 50, [step('message', 50, 25), advice, step('message', 50, 25)])).toEqual([
    [100, 50],
    ['advisor_message', 'claude-opus-5', 8_000, 1_500],
  ])
})

test('an attempt that declined without output is not billed', () => {
  const steps = [
    step('message', 1_000, 0, { model: 'claude-fable-5' }),
    step('fallback_message', 1_000, 1_000, { model: 'claude-opus-4-8' }),
  ]
  expect(billed(1_000, 1_000, steps)).toEqual([[1_000, 1_000]])
})

test.each([
  ['beside', 412, 264],
  ['within', 412 + 400, 264 + 299],
])(
  'an attempt that declined after output is billed at its own model, %s the counts of the answer',
  (_name, input, output) => {
    const steps = [
      step('message', 400, 299, { model: 'claude-fable-5' }),
      step('fallback_message', 412, 264, { model: 'claude-opus-4-8' }),
    ]
    expect(billed(input, output, steps)).toEqual([
      [412, 264],
      ['message', 'claude-fable-5', 400, 299],
    ])
  },
)

test('a step of an unknown kind is billed, unless the answer counts it', () => {
  const steps = [step('message', 10, 5), step('verifier_message', 700, 70, { model: 'claude-x' })]
  expect(billed(10, 5, steps)).toEqual([
    [10, 5],
    ['verifier_message', 'claude-x', 700, 70],
  ])
  expect(billed(710, 75, steps)).toEqual([[710, 75]])
})

test('cached input of a step is read from its own members', () => {
  const steps = [
    step('compaction', 10, 5, { cache_read_input_tokens: 1_000, cache_creation_input_tokens: 200 }),
  ]
  const [, part] = billed(1, 1, steps)
  expect(part).toEqual(['compaction', undefined, 1_210, 5])
})

test('a step is billed in the tier of the answer if it names no model', () => {
  const usage = usageOf({
    input_tokens: 1,
    output_tokens: 1,
    speed: 'fast',
    iterations: [step('compaction', 9, 9)],
  })
  expect(usage?.parts?.[0]?.usage.serviceTier).toBe('fast')
})

test.each([null, {}, 'x', [null, 3, {}], [step('compaction', -1, 0)], [step('compaction', 0.5, 0)]])(
  'a list that says nothing adds nothing: %j',
  (iterations) => {
    expect(billed(10, 5, iterations)).toEqual([[10, 5]])
  },
)

test('a step with a number that is no count is billed by its other numbers, and says so', () => {
  const usage = usageOf({ input_tokens: 10, output_tokens: 5, iterations: [step('compaction', -1, 7)] })
  expect(usage?.parts?.[0]?.usage).toMatchObject({ outputText: 7, lost: { input: { least: 0 } } })
})

test.each([
  [463_184, 463_184, 463_184, 0, 463_184, true],
  [1_000, 800, 600, 400, 600, true],
  [1_000, 0, 2_000, 0, 1_000, true],
  [1_000, 1_500, 0, 1_000, 0, true],
  [1_000, 600, 400, 600, 400, undefined],
  [1_000, 0, 0, 1_000, 0, undefined],
  [0, 30, 20, 30, 20, undefined],
])(
  'a cache write of %i with parts of %i and %i tokens is %i and %i',
  (total, short, hour, cacheWrite5m, cacheWrite1h, isMended) => {
    const usage = usageOf({
      input_tokens: 5,
      output_tokens: 5,
      cache_creation_input_tokens: total,
      cache_creation: { ephemeral_5m_input_tokens: short, ephemeral_1h_input_tokens: hour },
    })
    expect(usage).toMatchObject({ cacheWrite5m, cacheWrite1h })
    expect(usage?.isMended).toBe(isMended)
  },
)

const anyStep = fc.record({
  type: fc.oneof(
    fc.constantFrom('message', 'compaction', 'advisor_message', 'fallback_message', '', 'a b'),
    fc.string(),
  ),
  model: fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined }),
  input_tokens: fc.nat(9_999),
  output_tokens: fc.nat(9_999),
})

test('whatever the list says, there are few parts and no count is negative or invented', () => {
  fc.assert(
    fc.property(
      fc.nat(9_999),
      fc.nat(9_999),
      fc.array(anyStep, { maxLength: 60 }),
      (input, output, iterations) => {
        const usage = usageOf({ input_tokens: input, output_tokens: output, iterations })
        if (usage === undefined) return
        const parts = usage.parts ?? []
        expect(parts.length).toBeLessThanOrEqual(7)
        const all = [usage, ...parts.map((part) => part.usage)]
        for (const each of all)
          expect(Math.min(inputTokens(each), outputTokens(each))).toBeGreaterThanOrEqual(0)
        const reported = iterations.reduce((total, each) => total + each.input_tokens, input)
        expect(all.reduce((total, each) => total + inputTokens(each), 0)).toBeLessThanOrEqual(reported)
      },
    ),
  )
})
