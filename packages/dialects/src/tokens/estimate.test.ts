import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countExactly } from './exact.ts'
import { estimateTokens, TokenEstimate } from './estimate.ts'

const samples = {
  english:
    'The tower was built before the river changed its course, and nobody in the village remembers why. Every autumn the keeper counts the steps, writes the number into a ledger, and finds it one short of what it was the year before.',
  chinese:
    '城市的早晨总是从菜市场开始。卖豆腐的老人把木板擦得很干净，旁边的姑娘正在称刚摘下来的黄瓜。下雨的日子里，大家会把摊位挪到屋檐下面，一边躲雨一边聊天，谁也不着急回家。',
  code: 'export function sum(values: readonly number[]): number {\n  let total = 0\n  for (const value of values) total += value\n  return total\n}\n',
  data: '{"id":"c1","items":[{"name":"apple","count":12,"price":1.25},{"name":"pear","count":7,"price":0.8}]}',
  russian:
    'Осенью река поднимается так высоко, что мост приходится закрывать на несколько дней, и почту привозят на лодке.',
}

describe('estimateTokens', () => {
  it.each(Object.entries(samples))('is within a fifth of the exact count for %s', async (_name, text) => {
    const exact = await countExactly(text, 'gpt-4o')
    expect(estimateTokens(text) / exact).toBeGreaterThan(0.8)
    expect(estimateTokens(text) / exact).toBeLessThan(1.25)
  })

  it('is 0 for an empty text and at least 1 for any other', () => {
    expect(estimateTokens('')).toBe(0)
    expect(estimateTokens('a')).toBe(1)
  })

  it('is the same wherever the text is cut, and for the text as a JSON string', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(...Object.values(samples)),
    )
    fc.assert(
      fc.property(text, fc.nat(), fc.boolean(), (whole, where, isAsciiOnly) => {
        const cut = whole.length === 0 ? 0 : where % whole.length
        const inPieces = new TokenEstimate()
        inPieces.addText(whole.slice(0, cut))
        inPieces.addText(whole.slice(cut))
        expect(inPieces.tokens).toBe(estimateTokens(whole))

        const json = JSON.stringify(whole)
        const bytes = Buffer.from(isAsciiOnly ? asciiOnly(json) : json)
        const fromBytes = new TokenEstimate()
        expect(fromBytes.addJsonString(bytes, 0)).toBe(bytes.length)
        expect(fromBytes.tokens).toBe(estimateTokens(whole))
      }),
      { numRuns: 3000 },
    )
  })
})

function asciiOnly(json: string): string {
  return json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
