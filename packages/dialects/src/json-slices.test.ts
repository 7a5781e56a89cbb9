import process from 'node:process'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseInSlices } from './json-slices.ts'

const RUNS = process.env['TOLLGATE_QUICK'] ? 200 : 2_000
const parsed = (text: string): unknown => JSON.parse(text)
const sliced = (text: string) => parseInSlices(Buffer.from(text))

describe('parsing in slices gives the same result as JSON.parse', () => {
  it('for any object with any white space', async () => {
    const values = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue())
    await fc.assert(
      fc.asyncProperty(values, fc.nat(3), async (value, indent) => {
        const text = JSON.stringify(value, undefined, indent)
        expect(await sliced(text)).toEqual(parsed(text))
      }),
      { numRuns: RUNS },
    )
  })

  it.each([
    '{}',
    '{"a":[1,2,"x",3,[],4,{},5 , true,false,null , -1.5e3 ]}',
    '{"a":[[1],[2,3],4],"b":{"c":1}}',
    '{"__proto__":{"x":1},"constructor":2,"a":1,"a":2}',
    '{"a":"\\u0041\\n\\"\\\\","\\u0062":"\\ud83d\\ude00"}',
    ' { "a" : [ ] , "b" : 12345678901234567890 } ',
    `{"a":1${'0'.repeat(300)}}`,
  ])('for %s', async (text) => {
    const result = await sliced(text)
    expect(result).toEqual(parsed(text))
    expect(Object.keys(result)).toEqual(Object.keys(Object(parsed(text))))
  })

  it.each([
    ['letters', 'a'],
    ['Chinese', '汉'],
    ['emoji', '😀'],
    ['escapes', '\\n'],
    ['escaped quotes', '\\"'],
    ['escaped pairs', '\\ud83d\\ude00'],
    ['backslashes', '\\\\'],
    ['a mixture', '\\u00e9é汉😀\\\\\\""'.slice(0, -1)],
  ])('for a long text of %s, wherever it is cut into slices', async (_name, unit) => {
    for (const shift of [0, 1, 2, 3]) {
      const text = `{"a":"${'x'.repeat(shift)}${unit.repeat(Math.ceil(700_000 / unit.length))}","b":1}`
      // Compared as booleans, because a diff of a million characters would be unreadable.
      expect(JSON.stringify(await sliced(text)) === JSON.stringify(parsed(text))).toBe(true)
    }
  })

  it('for many numbers, values and spaces', async () => {
    const text = `{"n":[${'1.25, '.repeat(100_000)}7],"e":[${'[],{},'.repeat(50_000)}0],${' '.repeat(600_000)}"z":0}`
    expect(JSON.stringify(await sliced(text)) === JSON.stringify(parsed(text))).toBe(true)
  })

  it('except that an absurdly long number is rejected', async () => {
    await expect(sliced(`{"a":${'1'.repeat(5_000)}}`)).rejects.toThrow('unmarshal_request_failed')
    await expect(sliced(`{"a":[${'1'.repeat(50_000)}]}`)).rejects.toThrow('unmarshal_request_failed')
  })

  it('while other work on the event loop continues', async () => {
    let turns = 0
    const timer = setInterval(() => turns++, 0)
    await sliced(`{"a":[${'"",'.repeat(190_000)}0]}`)
    clearInterval(timer)
    expect(turns).toBeGreaterThan(3)
  })
})
