import { decimalText, ZERO } from '@tollgate/billing/decimal'
import { describe, expect, it } from 'vitest'
import { exactOf, one } from './exact.ts'
import { ratioReceipt, type RowRatios, type RowTokens } from './ratio-receipt.ts'

const exact = (value: number) => exactOf(value) ?? ZERO
const unitsPerDollar = exact(500_000)

const plain: RowRatios = {
  modelPrice: exact(-1),
  modelRatio: one,
  groupRatio: one,
  completionRatio: one,
  cacheRatio: one,
  cacheCreationRatio: exact(1.25),
  audioRatio: one,
  audioCompletionRatio: one,
  isAnthropic: false,
  isAudio: false,
}
const nothing: RowTokens = {
  prompt: 0,
  completion: 0,
  cacheRead: 0,
  cacheCreation: 0,
  textInput: 0,
  textOutput: 0,
  audioInput: 0,
  audioOutput: 0,
}

describe('the receipt from ratios', () => {
  it('subtracts cached tokens from the input', () => {
    const ratios = { ...plain, modelRatio: exact(1.25), completionRatio: exact(4), cacheRatio: exact(0.5) }
    const receipt = ratioReceipt(
      ratios,
      { ...nothing, prompt: 1000, cacheRead: 200, completion: 500 },
      unitsPerDollar,
    )
    expect(receipt.units).toBe(3625n)
    expect(receipt.lines.map((line) => [line.name, line.count, decimalText(line.amount)])).toEqual([
      ['inputText', 800, '1000'],
      ['cacheRead', 200, '125'],
      ['outputText', 500, '2500'],
    ])
  })

  it('does not subtract cached tokens from the input in the Anthropic format', () => {
    const ratios = {
      ...plain,
      isAnthropic: true,
      modelRatio: exact(1.5),
      completionRatio: exact(5),
      cacheRatio: exact(0.1),
    }
    const tokens = { ...nothing, prompt: 1000, cacheRead: 5000, cacheCreation: 2000, completion: 300 }
    expect(ratioReceipt(ratios, tokens, unitsPerDollar).units).toBe(8250n)
  })

  it('rounds down in the Anthropic format', () => {
    const tokens = { ...nothing, prompt: 3 }
    const halves = { ...plain, modelRatio: exact(0.5) }
    expect(ratioReceipt(halves, tokens, unitsPerDollar)).toMatchObject({ units: 2n, rounding: 'nearest' })
    const cut = ratioReceipt({ ...halves, isAnthropic: true }, tokens, unitsPerDollar)
    expect(cut).toMatchObject({ units: 1n, rounding: 'down' })
  })

  it('charges at least one unit for any usage, and nothing without usage or at ratio zero', () => {
    const tiny = { ...plain, modelRatio: exact(0.0001) }
    expect(ratioReceipt(tiny, { ...nothing, prompt: 1 }, unitsPerDollar)).toMatchObject({
      units: 1n,
      rounding: 'minimum',
    })
    expect(ratioReceipt(tiny, nothing, unitsPerDollar)).toMatchObject({ units: 0n, rounding: 'none' })
    const free = { ...plain, groupRatio: ZERO }
    expect(ratioReceipt(free, { ...nothing, prompt: 9 }, unitsPerDollar).units).toBe(0n)
  })

  it('multiplies a price per call by the quota per dollar', () => {
    const priced = { ...plain, modelPrice: exact(0.04), groupRatio: exact(0.5) }
    const receipt = ratioReceipt(priced, { ...nothing, prompt: 1 }, unitsPerDollar)
    expect(receipt.units).toBe(10_000n)
    expect(receipt.lines[0]).toMatchObject({ name: 'call', count: 1, per: 'one' })
  })

  it('charges audio tokens separately', () => {
    const ratios = {
      ...plain,
      isAudio: true,
      modelRatio: exact(1.25),
      completionRatio: exact(4),
      audioRatio: exact(16),
      audioCompletionRatio: exact(2),
    }
    const tokens = {
      ...nothing,
      prompt: 30,
      completion: 12,
      textInput: 10,
      textOutput: 2,
      audioInput: 20,
      audioOutput: 10,
    }
    expect(ratioReceipt(ratios, tokens, unitsPerDollar).units).toBe(823n)
  })
})
