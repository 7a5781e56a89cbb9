import { describe, expect, test } from 'vitest'
import { sharedTextLimit, parseText } from './json-limits.ts'

describe('limits for JSON inside texts', () => {
  const many = `[${'0,'.repeat(100_000)}0]`

  test('the arguments of all tool calls of a request share the value limit of one body', () => {
    expect(() => sharedTextLimit()(() => [parseText(many), parseText(many)])).toThrow('body_too_many_values')
    expect(sharedTextLimit()(() => parseText(many))).toHaveLength(100_001)
  })

  test('the nesting limit for arguments is that of bodies', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    expect(() => sharedTextLimit()(() => parseText(deep))).toThrow('body_too_deep')
    expect(parseText(deep)).toBeUndefined()
    expect(parseText('['.repeat(64) + ']'.repeat(64))).toBeDefined()
  })

  test('JSON in an upstream response is limited per text', () => {
    expect([parseText(many), parseText(many)]).toHaveLength(2)
    expect(parseText('no JSON')).toBeUndefined()
    expect(parseText('')).toBeUndefined()
  })
})
