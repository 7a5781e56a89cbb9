import { defaultPriceOptions } from '@tollgate/billing/defaults'
import { buildPriceBook } from '@tollgate/billing/price-book'
import { parsePriceOptions } from '@tollgate/billing/price-options'
import { priceHash } from '@tollgate/billing/price-hash'
import { priceToJson } from '@tollgate/billing/recompute'
import { noUsage, type Usage } from '@tollgate/dialects/usage'
import { readChannelSettings } from '@tollgate/providers/channel-settings'
import { invariant } from '@tollgate/kit/invariant'
import { expect, test } from 'vitest'
import { channelWith, heldWith, readingWith } from '../../../test/relay/parts.ts'
import type { Delivered } from '../outcome.ts'
import { assess } from '../stations/settle/assess.ts'
import { computeCost, findToldCost, listPartPrices, writeParts } from './price-usage.ts'

const prices = buildPriceBook(
  parsePriceOptions({
    ...defaultPriceOptions,
    ModelRatio: JSON.stringify({ cheap: 0.5, dear: 50, cheaper: 0.1 }),
    CompletionRatio: JSON.stringify({ cheap: 1, dear: 1, cheaper: 1 }),
  }),
  4,
)
const priceFor = (model: string) => {
  const price = prices.find({ model, group: 'default', acceptsUnpriced: false })
  invariant(price, 'the model has a price')
  return price
}
const held = (named: readonly string[] = []) =>
  heldWith({
    prices,
    price: priceFor('cheap'),
    candidates: { model: 'cheap', tiers: [[channelWith()]] },
    namedPrices: named.map((model) => ({
      model,
      names: [model, `vendor/real-${model}`],
      price: priceFor(model),
    })),
  })
const usage: Usage = { ...noUsage, inputText: 1_000, outputText: 1_000 }
const exit = (model: string | undefined, more: Partial<Delivered> = {}, used = usage): Delivered => ({
  type: 'delivered',
  ending: 'complete',
  reading: readingWith({ usage: used, model }),
  channel: channelWith(),
  upstreamModel: 'cheap',
  ...more,
})
const charged = (call: ReturnType<typeof held>, end: Delivered) => {
  const assessment = assess(call, end)
  invariant(assessment.type === 'charge', 'the call is charged')
  return assessment
}

test.each(['cheap', 'vendor/Cheap', 'cheap-2026-01-02', 'cheap-20260102', 'cheap-latest', '', undefined])(
  'an answer of %s is one of the requested model',
  (model) => {
    expect(charged(held(), exit(model))).toMatchObject({ units: 1_000n, flags: [] })
  },
)

test('a model that the caller named is charged at its own price', () => {
  expect(charged(held(['dear']), exit('dear'))).toMatchObject({ units: 100_000n, flags: [] })
  expect(charged(held(['dear']), exit('vendor/real-dear'))).toMatchObject({
    units: 100_000n,
    flags: [],
  })
})

test('a model that only the upstream chose is charged as the requested one and marked', () => {
  expect(charged(held(), exit('dear'))).toMatchObject({
    units: 1_000n,
    flags: ['served_other'],
    servedOther: 'dear',
  })
  expect(charged(held(['dear']), exit('cheaper'))).toMatchObject({ units: 1_000n, flags: ['served_other'] })
})

test('a name that no model has says nothing about the model', () => {
  expect(charged(held(), exit('my-deployment'))).toMatchObject({
    units: 1_000n,
    flags: [],
    unknownName: 'my-deployment',
  })
})

test('a channel may charge the served model if it is cheaper, and never if it is dearer', () => {
  const settings = readChannelSettings({ charge_served: true })
  const channel = channelWith({ settings })
  expect(charged(held(), exit('cheaper', { channel }))).toMatchObject({
    units: 200n,
    flags: ['served_other'],
  })
  expect(charged(held(), exit('dear', { channel }))).toMatchObject({ units: 1_000n, flags: ['served_other'] })
})

test('the cost of a call is that of the model that served it', () => {
  const channel = channelWith({ costs: { byModel: new Map([['dear', '0.5']]), others: '1' } })
  const end = exit('dear', { channel })
  expect(computeCost(held(), charged(held(), end), end)).toBe(50_000n)
})

const advice = (
  model: string | undefined,
  counts: Partial<Usage> = { inputText: 8_000, outputText: 1_500 },
) => ({
  ...usage,
  parts: [
    { kind: 'advisor_message', ...(model !== undefined && { model }), usage: { ...noUsage, ...counts } },
  ],
})

test.each([
  ['that the caller named', ['dear'], 'dear', 1_000n + 9_500n * 50n, []],
  ['that nobody named', [], 'dear', 1_000n + 4_750n, ['served_other']],
  ['that has no name', ['dear'], undefined, 1_000n + 4_750n, []],
  ['that is the requested one', ['dear'], 'cheap', 1_000n + 4_750n, []],
])('advice of a model %s', (_name, named, model, units, flags) => {
  expect(charged(held(named), exit('cheap', {}, advice(model)))).toMatchObject({ units, flags })
})

test('a part that is no count is not charged, and the call is marked as estimated', () => {
  const end = exit('cheap', {}, advice('dear', { inputText: 1e12 }))
  expect(charged(held(['dear']), end)).toMatchObject({ units: 1_000n, flags: ['estimated'], parts: [] })
})

test('the entry names the price of each part that has its own', () => {
  const priced = charged(held(['dear']), exit('cheap', {}, advice('dear')))
  const json = priceToJson(priceFor('dear'))
  expect(writeParts(priced)).toEqual([
    { kind: 'advisor_message', model: 'dear', price: priceHash(json), inputText: 8_000, outputText: 1_500 },
  ])
  expect(listPartPrices(priced)).toEqual([json])
  const own = charged(held(['dear']), exit('cheap', {}, advice(undefined)))
  expect(writeParts(own)).toEqual([{ kind: 'advisor_message', inputText: 8_000, outputText: 1_500 }])
  expect(listPartPrices(own)).toBeUndefined()
})

const tellingChannel = (id: string) => {
  const channel = channelWith()
  return channelWith({ provider: { ...channel.provider, id } })
}
/** The call costs 1,000 units by the list price, which are 0.002 dollars. */
const telling = (provider: string, raw: unknown) => {
  const end = exit('cheap', { channel: tellingChannel(provider) }, { ...usage, raw })
  const assessment = charged(held(), end)
  return { cost: computeCost(held(), assessment, end), told: findToldCost(held(), assessment, end) }
}

test.each([
  ['openrouter', { cost: 0.003 }, 1_500n],
  ['openrouter', { cost: 0.003, is_byok: false, cost_details: { upstream_inference_cost: 9 } }, 1_500n],
  ['openrouter', { cost: 0.0002, is_byok: true, cost_details: { upstream_inference_cost: 0.0028 } }, 1_500n],
  ['openrouter', { cost: 0.04 }, 20_000n],
  ['openrouter', { cost: 0.0001 }, 50n],
  ['perplexity', { cost: { total_cost: 0.006, request_cost: 0.005 } }, 3_000n],
])('the cost that %s tells in %j is the cost of the call', (provider, raw, units) => {
  expect(telling(provider, raw)).toMatchObject({ cost: units, told: { isDoubted: false } })
})

test.each([
  ['openrouter', { cost: 0.041 }],
  ['openrouter', { cost: 0.00009 }],
  ['openrouter', { cost: 0 }],
  ['perplexity', { cost: { total_cost: 5 } }],
])('the cost that %s tells in %j is too far from ours, and is marked', (provider, raw) => {
  expect(telling(provider, raw)).toMatchObject({ cost: undefined, told: { isDoubted: true } })
})

test.each([
  ['openai', { cost: 0.003 }],
  ['openrouter', { cost: '0.003' }],
  ['openrouter', { cost: -1 }],
  ['openrouter', { cost: { total_cost: 0.003 } }],
  ['openrouter', { cost: 0.001, is_byok: true }],
  ['perplexity', { cost: 0.003 }],
  ['perplexity', {}],
])('no cost is read from %s in %j, because no row says what it means', (provider, raw) => {
  expect(telling(provider, raw)).toEqual({ cost: undefined, told: undefined })
})

test('a told cost stands before the share of the list price that the operator set', () => {
  const channel = { ...tellingChannel('openrouter'), costs: { byModel: new Map(), others: '0.5' } }
  const end = exit('cheap', { channel }, { ...usage, raw: { cost: 0.003 } })
  expect(computeCost(held(), charged(held(), end), end)).toBe(1_500n)
  const doubted = exit('cheap', { channel }, { ...usage, raw: { cost: 3 } })
  expect(computeCost(held(), charged(held(), doubted), doubted)).toBe(500n)
})
