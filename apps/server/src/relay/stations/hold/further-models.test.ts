import { defaultPriceOptions } from '@tollgate/billing/defaults'
import { buildPriceBook } from '@tollgate/billing/price-book'
import { parsePriceOptions } from '@tollgate/billing/price-options'
import { readAsk } from '@tollgate/dialects/ask'
import { expect, test } from 'vitest'
import { channelWith, heldWith } from '../../../../test/relay/parts.ts'
import { messages } from '../../operations/index.ts'
import type { Admitted } from '../admit/admitted.ts'
import { planOf } from './plan.ts'

const prices = buildPriceBook(
  parsePriceOptions({
    ...defaultPriceOptions,
    ModelRatio: JSON.stringify({ 'claude-haiku-4-5': 0.5, 'claude-opus-4-5': 2.5 }),
    CompletionRatio: JSON.stringify({ 'claude-haiku-4-5': 5, 'claude-opus-4-5': 5 }),
  }),
  4,
)
const HAIKU = 'claude-haiku-4-5'
const OPUS = 'claude-opus-4-5'

function amountsOf(model: string, more: object = {}, namedModels: readonly string[] = []) {
  const body = {
    model,
    max_tokens: 1_000,
    messages: [{ role: 'user', content: 'hi '.repeat(3_000) }],
    ...more,
  }
  const admitted: Admitted = {
    ...heldWith(),
    operation: messages,
    ask: readAsk('messages', Buffer.from(JSON.stringify(body))),
    candidates: { model, tiers: [[channelWith()]] },
    prices,
    namedModels,
  }
  const plan = planOf(admitted, { limits: undefined, overdraft: { factor: 2n, admitsAlone: true } })
  return { ...plan.amounts, named: plan.plans[0].namedPrices.map((named) => named.model) }
}

const advisor = (max_uses: number) => ({
  tools: [{ type: 'advisor_20260301', name: 'advisor', model: OPUS, max_uses }],
})

test('the ceiling is that of the dearest model that may serve, and the estimate that of the requested one', () => {
  const [cheap, dear] = [amountsOf(HAIKU), amountsOf(OPUS)]
  const both = amountsOf(HAIKU, {}, [OPUS])
  expect(both).toEqual({ hold: cheap.hold, estimate: cheap.estimate, ceiling: dear.ceiling, named: [OPUS] })
  expect(amountsOf(OPUS, {}, [HAIKU])).toMatchObject({ ceiling: dear.ceiling, estimate: dear.estimate })
})

test('a helper adds its own bound to the ceiling, and one use to the estimate', () => {
  const alone = amountsOf(HAIKU)
  const [once, twice, thrice] = [1, 2, 3].map((uses) => amountsOf(HAIKU, advisor(uses), [OPUS]))
  if (once === undefined || twice === undefined || thrice === undefined) throw new Error('three amounts')
  expect(once.ceiling).toBeGreaterThan(alone.ceiling)
  expect(twice.ceiling - once.ceiling).toBe(thrice.ceiling - twice.ceiling)
  expect(once.estimate).toBeGreaterThan(alone.estimate)
  expect(twice.estimate).toBe(once.estimate)
})

test.each([
  { context_management: { edits: [{ type: 'compact_20260112' }] } },
  { compaction: { type: 'summarize' } },
])('a summary of the conversation raises the ceiling and not the estimate: %j', (asked) => {
  const [plain, compacted] = [amountsOf(HAIKU), amountsOf(HAIKU, asked)]
  expect(compacted.estimate).toBe(plain.estimate)
  // The conversation is read once more.
  expect(compacted.ceiling).toBeGreaterThan((plain.ceiling * 3n) / 2n)
})

test('an edit that only clears content adds nothing', () => {
  const clearing = { context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] } }
  expect(amountsOf(HAIKU, clearing)).toEqual(amountsOf(HAIKU))
})

test('a hold has at most eight prices, and a model without one has none', () => {
  expect(amountsOf(HAIKU, {}, ['unheard-of-model']).named).toEqual([])
  expect(
    amountsOf(
      HAIKU,
      {},
      Array.from({ length: 20 }, () => OPUS),
    ).named,
  ).toHaveLength(7)
})
