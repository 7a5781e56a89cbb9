import { expect, test } from 'vitest'
import { parseJsonBody } from './json-body.ts'

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

test('an empty body is an empty object', () => {
  expect(parseJsonBody('')).toEqual({})
  expect(parseJsonBody(' \n')).toEqual({})
})

test('64 levels of nesting are parsed and 65 are refused before parsing', () => {
  expect(parseJsonBody(nested(64))).toBeInstanceOf(Array)
  expect(() => parseJsonBody(nested(65))).toThrow('nested')
  expect(() => parseJsonBody('{"a":'.repeat(100_000))).toThrow('nested')
})

test('brackets inside strings do not count as nesting', () => {
  const text = JSON.stringify({ a: '[{'.repeat(200), 'b"\\': '\\"[[' })
  expect(parseJsonBody(text)).toEqual(JSON.parse(text))
})

test.each(['{', '{"a":1,}', 'nul', '"open', '"\\'])('%s is refused as invalid JSON', (text) => {
  expect(() => parseJsonBody(text)).toThrow('not valid JSON')
})

test('keys that lead to a prototype are dropped at every depth', () => {
  const parsed = parseJsonBody('{"__proto__":{"x":1},"a":{"constructor":2,"prototype":3,"b":4}}')
  expect(parsed).toEqual({ a: { b: 4 } })
})
