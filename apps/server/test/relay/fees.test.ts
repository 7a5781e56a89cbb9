import { feeRows } from '@tollgate/catalogue/fees/fee-rows'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { openScriptedUpstream, sendJson, type ScriptedUpstream } from './upstream.ts'
import { TOKENS } from './answer-bills.ts'
import type { BilledCall, BillRule } from './call-bills.ts'
import { billRules } from './vendor-bills.ts'

/** What vendors take beside tokens is charged as they bill it. */

/** A model of a vendor whose search has no known price. */
const UNPRICED = 'doubao-bill'

let harness: RelayHarness
let upstream: ScriptedUpstream
let bearer: string

beforeAll(async () => {
  harness = await openRelayHarness()
  upstream = await openScriptedUpstream()
  const models = [UNPRICED, ...billRules.map(({ model }) => model)]
  const ratios = JSON.stringify(Object.fromEntries(models.map((model) => [model, 1])))
  await harness.setOption('ModelRatio', ratios)
  await harness.setOption('CompletionRatio', ratios)
  await harness.addChannel(upstream.url, { type: 45, models: UNPRICED })
  const setting = JSON.stringify({ stored_context: true })
  for (const { model, vendorModel, channelType: type } of billRules)
    await harness.addChannel(upstream.url, {
      type,
      models: model,
      setting,
      ...(vendorModel !== undefined && { model_mapping: JSON.stringify({ [model]: vendorModel }) }),
    })
})
beforeEach(async () => {
  await harness.setOption('ToolPrices', '{}')
  await harness.setOption('ListedFeesCharged', 'true')
  ;({ bearer } = await harness.addCaller({ quota: 1_000_000_000n }))
})
afterAll(async () => {
  await harness.close()
  await upstream.close()
})

async function send({ model }: Pick<BillRule, 'model'>, { path, body, answer }: BilledCall) {
  upstream.respond = (response) => sendJson(response, 200, answer)
  const isGemini = path === 'generate'
  const reply = await harness.send({
    path: isGemini ? `/v1beta/models/${model}:generateContent` : path,
    bearer,
    body: isGemini ? body : { model, ...body },
  })
  expect(reply.status, reply.text).toBe(200)
  await harness.quiet()
  const entry = (await harness.entries()).at(-1)
  const row = (await harness.logs()).at(-1)
  const usage: { toolCalls?: Record<string, number> } = JSON.parse(entry?.usage_json ?? '{}')
  const other: Record<string, unknown> = JSON.parse(row?.other ?? '{}')
  return { amount: entry?.amount, flags: entry?.flags, uses: usage.toolCalls, other }
}

/** Units of quota, 500,000 to the dollar, rounded once with the tokens. */
function billedUnits({ perThousand, units }: BilledCall): bigint {
  const tokens = BigInt(TOKENS.input + TOKENS.output)
  const [whole = '0', fraction = ''] = perThousand.split('.')
  const scale = 10n ** BigInt(fraction.length)
  const fee = BigInt(whole + fraction) * BigInt(units) * 500n
  return (tokens * scale + fee + scale / 2n) / scale
}

const named = billRules.map((rule) => [`${rule.fee} by ${rule.model}`, rule] as const)

describe.each([1, 3, 8])('with %i uses', (uses) => {
  test.each(named)('%s is charged as the vendor bills it', async (_name, rule) => {
    const call = rule.call(uses)
    const { amount, flags, uses: counted, other } = await send(rule, call)
    expect({ amount, flags, counted }).toEqual({
      amount: billedUnits(call),
      flags: '',
      counted: { [rule.fee]: call.units },
    })
    expect(other['tool_surcharges']).toEqual([
      { name: rule.fee, count: call.units, price: Number(call.perThousand) },
    ])
  })
})

test('every fee with a known price has a rule of a vendor, and every rule has a row', () => {
  const known = feeRows.filter(({ price }) => price !== 'unknown').map(({ name }) => name)
  expect([...new Set(billRules.map(({ fee }) => fee))].toSorted()).toEqual(known.toSorted())
})

/** Fees that every answer has, and those whose fakes always show the paid thing. */
const ALWAYS = /^(?:perplexity_\w*request|google_maps|zhipu_web_search)|router-(?:plugin|online)$/
const optional = named.filter(([name]) => !ALWAYS.test(name))

test.each(optional)('%s costs only tokens where the fee is not used', async (_name, rule) => {
  const { amount, uses } = await send(rule, rule.call(0))
  expect({ amount, uses }).toEqual({ amount: BigInt(TOKENS.input + TOKENS.output), uses: undefined })
})

test('a fee without a known price is not charged and marks the call', async () => {
  const call: BilledCall = {
    path: '/v1/responses',
    body: { input: 'x', tools: [{ type: 'web_search' }] },
    answer: {
      id: 'r',
      object: 'response',
      status: 'completed',
      output: [
        { id: 'w', type: 'web_search_call', status: 'completed' },
        { id: 'f', type: 'web_search_call', status: 'failed' },
        { type: 'message', id: 's', role: 'assistant', content: [{ type: 'output_text', text: 'ok' }] },
      ],
      usage: { input_tokens: TOKENS.input, output_tokens: 0 },
    },
    perThousand: '0',
    units: 0,
  }
  const rule = { model: UNPRICED }
  expect(await send(rule, call)).toMatchObject({
    amount: 1_000n,
    flags: 'fee_unknown',
    uses: { volcano_web_search: 1 },
  })
  await harness.setOption('ToolPrices', JSON.stringify({ web_search: 4 }))
  expect(await send(rule, call)).toMatchObject({ amount: 3_000n, flags: '' })
})

test.each(named)('%s is counted and not charged where listed fees are switched off', async (_name, rule) => {
  await harness.setOption('ListedFeesCharged', 'false')
  const call = rule.call(2)
  const { amount, flags, uses } = await send(rule, call)
  expect({ amount, flags }).toEqual({ amount: BigInt(TOKENS.input + TOKENS.output), flags: '' })
  expect(uses).toMatchObject({ [rule.fee]: call.units })
})

test.each(named)(
  '%s is switched off by the price 0 and has the price of the operator',
  async (_name, rule) => {
    const call = rule.call(2)
    await harness.setOption('ToolPrices', JSON.stringify({ [rule.fee]: 0 }))
    expect((await send(rule, call)).amount).toBe(BigInt(TOKENS.input + TOKENS.output))
    await harness.setOption(
      'ToolPrices',
      JSON.stringify({ [rule.fee]: 100, [`${rule.fee}:${rule.model.slice(0, -1)}*`]: 7 }),
    )
    expect((await send(rule, call)).amount).toBe(billedUnits({ ...call, perThousand: '7' }))
  },
)
