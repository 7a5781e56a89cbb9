import { describe, expect, test } from 'vitest'
import { countingTexts, parseText } from './json-limits.ts'

describe('JSON in texts', () => {
  const many = `[${'0,'.repeat(100_000)}0]`

  test('arguments of all tool calls of a request together have the values of one body', () => {
    expect(() => countingTexts(() => [parseText(many), parseText(many)])).toThrow('body_too_many_values')
    expect(countingTexts(() => parseText(many))).toHaveLength(100_001)
  })

  test('nesting in arguments is as bounded as in bodies', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    expect(() => countingTexts(() => parseText(deep))).toThrow('body_too_deep')
    expect(parseText(deep)).toBeUndefined()
    expect(parseText('['.repeat(64) + ']'.repeat(64))).toBeDefined()
  })

  test('what an upstream says is counted by the text alone', () => {
    expect([parseText(many), parseText(many)]).toHaveLength(2)
    expect(parseText('no JSON')).toBeUndefined()
    expect(parseText('')).toBeUndefined()
  })
})
