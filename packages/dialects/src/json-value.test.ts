import { assert, constantFrom, dictionary, jsonValue, property, record, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findString } from './json-value.ts'

const MODEL = Buffer.from('"model"')

function read(text: string, ...path: Buffer[]): unknown {
  const bytes = Buffer.from(text)
  const value = findString(bytes, 0, path)
  return value && JSON.parse(bytes.toString('utf8', value.start, value.end))
}

describe('a string in the bytes of an object', () => {
  it('is found at its path alone', () => {
    const others = dictionary(string({ maxLength: 8 }), jsonValue({ maxDepth: 3 }), { maxKeys: 6 })
    const parts = record({ before: others, after: others, model: string(), space: constantFrom(0, 1, 2) })
    assert(
      property(parts, ({ before, after, model, space }) => {
        const inner = { model: 'other', text: '"model":"x"', list: [{ model: 'y' }] }
        const object = { ...before, inner, model, ...after, tail: inner }
        const whole = { ...object, model: typeof object.model === 'string' ? object.model : model }
        expect(read(JSON.stringify(whole, null, space), MODEL)).toBe(whole.model)
        const nested = JSON.stringify({ ...before, a: 'model', message: whole }, null, space)
        expect(read(nested, Buffer.from('"message"'), MODEL)).toBe(whole.model)
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    '',
    '{',
    '[]',
    '{"model"',
    '{"model":',
    '{"model":1}',
    '{"model":null}',
    '{"a":{"model":"x"}}',
    '{"a":"\\"model\\":\\"x\\""}',
    'nothing',
  ])('is absent from %j', (text) => {
    expect(read(text, MODEL)).toBeUndefined()
  })

  it('is found at both ends of a large text', () => {
    const data = Array.from({ length: 100_000 }, (_, index) => index)
    for (const tail of [{}, { usage: { model: 'inner', list: [1, { model: 'z' }] }, note: 'a, b: "c"' }]) {
      expect(read(JSON.stringify({ data, model: 'late', ...tail }), MODEL)).toBe('late')
      expect(read(JSON.stringify({ model: 'early', data, ...tail }), MODEL)).toBe('early')
      expect(read(JSON.stringify({ data, ...tail }), MODEL)).toBeUndefined()
    }
  })
})
