import { describe, expect, it } from 'vitest'
import { readCallRecord } from '../record/call-record.ts'
import { exactOf, one } from './exact.ts'
import { receiptOf, verdictOf } from './receipt-of.ts'

const unitsPerDollar = exactOf(500_000) ?? one
const row = { type: 2, quota: 168, prompt_tokens: 1204, completion_tokens: 388 }

/** A row as this gateway writes it. */
const own = {
  model_ratio: 0.075,
  completion_ratio: 4,
  cache_ratio: 0.5,
  cache_creation_ratio: 1.25,
  model_price: -1,
  group_ratio: 1,
  cache_tokens: 1024,
  admin_info: { use_channel: ['1'] },
  receipt: {
    price_version: 1,
    quota_per_unit: '500000',
    usage: { inputText: 180, cacheRead: 1024, outputText: 388 },
    held: '152',
    ceiling: '400',
  },
}
const price = {
  version: 41,
  group: 'vip',
  groupRatio: '0.9',
  quotaPerUnit: '500000',
  rule: {
    type: 'ratio',
    modelRatio: '1.5',
    completionRatio: '5',
    cacheRatio: '0.1',
    cacheWriteRatio: '1.25',
    cacheWrite1hRatio: '2',
    imageRatio: '1',
    audioRatio: '1',
    audioCompletionRatio: '1',
  },
  toolPrices: { web_search: '10' },
}

function read(other: object | string, change: Partial<typeof row> = {}) {
  const record = readCallRecord({ other: typeof other === 'string' ? other : JSON.stringify(other) })
  const receipt = receiptOf({ ...row, ...change }, record, unitsPerDollar)
  return { record, receipt, verdict: receipt && verdictOf(receipt, change.quota ?? row.quota, record) }
}

describe('receiptOf', () => {
  it('computes the receipt from the usage buckets and confirms the charge', () => {
    const { receipt, verdict } = read(own)
    expect(receipt).toMatchObject({ basis: 'frozen', priceVersion: 1, units: 168n, rounding: 'nearest' })
    expect(verdict).toBe('equal')
  })

  it('uses the complete price if the row contains it', () => {
    const usage = {
      inputText: 2240,
      cacheRead: 14_000,
      cacheWrite5m: 2000,
      outputText: 2911,
      toolCalls: { web_search: 1 },
    }
    const { receipt, verdict } = read({ receipt: { price, usage } }, { quota: 32_438 })
    expect(receipt?.lines.map((line) => line.name)).toEqual([
      'inputText',
      'cacheRead',
      'cacheWrite5m',
      'outputText',
      'tool:web_search',
    ])
    expect(verdict).toBe('equal')
  })

  it('adds the steps that were charged beside the usage, each at its own price', () => {
    const dearer = { ...price, rule: { ...price.rule, modelRatio: '15' } }
    const parts = [
      { kind: 'compaction', price, usage: { inputText: 1000, outputText: 100 } },
      { kind: 'advisor_message', model: 'claude-opus-5', price: dearer, usage: { outputText: 10 } },
    ]
    const { receipt, verdict } = read(
      { receipt: { price, usage: { inputText: 100 }, parts } },
      { quota: 2_835 },
    )
    expect(receipt?.lines.map(({ name, count, part }) => [name, count, part?.kind, part?.model])).toEqual([
      ['inputText', 100, undefined, undefined],
      ['inputText', 1000, 'compaction', undefined],
      ['outputText', 100, 'compaction', undefined],
      ['outputText', 10, 'advisor_message', 'claude-opus-5'],
    ])
    expect(verdict).toBe('equal')
  })

  it('does not invent a ratio that is missing from the row', () => {
    const usage = { inputText: 10, cacheWrite1h: 100 }
    const { receipt } = read({ ...own, receipt: { ...own.receipt, usage } })
    expect(receipt?.basis).toBe('ratios')
  })

  it('falls back to the formula of new-api', () => {
    const { receipt, verdict } = read({ ...own, receipt: undefined })
    expect(receipt).toMatchObject({ basis: 'ratios', units: 168n })
    expect(verdict).toBe('equal')
  })

  it.each(['', 'null', '[]', '{broken', '{"group_ratio":1}', '{"model_ratio":"x","group_ratio":1}'])(
    'returns undefined for a row with %j',
    (other) => {
      expect(read(other).receipt).toBeUndefined()
    },
  )

  it('returns undefined for a row that is not a call', () => {
    expect(read(own, { type: 1 }).receipt).toBeUndefined()
  })
})

describe('verdictOf', () => {
  it('is differs when nothing explains the difference', () => {
    expect(read(own, { quota: 169 }).verdict).toBe('differs')
  })

  it('is limited for a charge that stopped at its ceiling', () => {
    const limited = { ...own, receipt: { ...own.receipt, ceiling: '150' } }
    expect(read(limited, { quota: 150 }).verdict).toBe('limited')
    expect(read({ ...own, flags: ['waived'] }, { quota: 100 }).verdict).toBe('limited')
    expect(read({ ...own, flags: ['waived'] }, { quota: 200 }).verdict).toBe('differs')
  })

  it('recognises interrupted and corrected calls', () => {
    expect(read({ ...own, flags: ['recovered'] }, { quota: 100 }).verdict).toBe('interrupted')
    expect(read({ ...own, flags: ['recovered', 'late'] }, { quota: 100 }).verdict).toBe('corrected')
  })

  it('is unproven for rows of other gateways', () => {
    expect(read({ ...own, receipt: undefined }, { quota: 169 }).verdict).toBe('unproven')
  })
})
