import process from 'node:process'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callerLimits } from './json-limits.ts'
import { scanObject } from './json-scan.ts'
import { spliceMembers, spliceTopLevel } from './json-splice.ts'

/** `npm run verify` sets TOLLGATE_QUICK, `npm run test:faults` the long form. */
const USUAL_RUNS = process.env['TOLLGATE_FAULTS'] === 'long' ? 10_000 : 600
const RUNS = process.env['TOLLGATE_QUICK'] ? 200 : USUAL_RUNS

const bytes = (text: string): Buffer => Buffer.from(text)

describe('spliceMembers', () => {
  const names = fc.constantFrom('a', 'b', 'model', 'stream', 'x y', '\u00e9')
  const space = fc.constantFrom('', ' ', '\n  ')
  const object = fc
    .array(fc.tuple(names, fc.jsonValue({ maxDepth: 1 }), space), { maxLength: 6 })
    .map((members) => {
      const texts = members.map(
        ([name, value, gap]) => `${gap}${JSON.stringify(name)}${gap}:${gap}${JSON.stringify(value)}${gap}`,
      )
      return `{${texts.join(',')}}`
    })

  it('returns the member positions that a new scan would find', () => {
    const set = fc.dictionary(names, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 })
    fc.assert(
      fc.property(object, set, fc.array(names, { maxLength: 2 }), (text, edits, remove) => {
        const spliced = spliceMembers(bytes(text), { set: edits, remove })
        expect(spliced.members).toEqual(scanObject(spliced.bytes).members)
      }),
      { numRuns: RUNS },
    )
  })
})

describe('spliceTopLevel', () => {
  it('returns the same buffer if there is nothing to change', () => {
    const body = bytes('{ "model": "a" }')
    expect(spliceTopLevel(body, { set: {} })).toBe(body)
  })

  it('leaves every other byte unchanged', () => {
    const body = bytes('{ "model" : "a",\n "seed":12345678901234567890, "t": 1.0,"x":"\\u00e9" }\n')
    expect(spliceTopLevel(body, { set: { model: 'b', stream: true } }).toString()).toBe(
      '{ "model" : "b",\n "seed":12345678901234567890, "t": 1.0,"x":"\\u00e9","stream":true }\n',
    )
  })

  it.each([
    ['{"a":1,"b":2,"c":3}', ['a'], '{"b":2,"c":3}'],
    ['{"a":1, "b":2, "c":3}', ['b'], '{"a":1, "c":3}'],
    ['{"a":1,"b":2,"c":3}', ['c'], '{"a":1,"b":2}'],
    ['{"a":1,"b":2,"c":3}', ['a', 'b', 'c'], '{}'],
    ['{"a":1,"b":2,"c":3,"d":4}', ['a', 'b', 'd'], '{"c":3}'],
    ['{}', ['a'], '{}'],
  ])('removes from %s the members %s', (text, remove, expected) => {
    expect(spliceTopLevel(bytes(text), { set: {}, remove }).toString()).toBe(expected)
  })

  it('finds members with escaped names, and inserts the first member into an empty object', () => {
    expect(spliceTopLevel(bytes('{"mod\\u0065l":"a"}'), { set: { model: 'b' } }).toString()).toBe(
      '{"mod\\u0065l":"b"}',
    )
    expect(spliceTopLevel(bytes(' { } '), { set: { a: 1, b: 2 } }).toString()).toBe(' {"a":1,"b":2 } ')
  })

  it('keeps only one of a repeated member when it is edited', () => {
    expect(spliceTopLevel(bytes('{"n":1,"a":0,"n":2}'), { set: { n: 3 } }).toString()).toBe('{"a":0,"n":3}')
  })

  it('has the same effect as assigning to the parsed object', () => {
    // The name `\` is left out: V8 13.6 sometimes reads the name `"` as `\` once it has met both.
    const plain = fc.string().filter((text) => text !== '\\')
    const name = fc.oneof(fc.constantFrom('model', 'stream', '__proto__', 'a"b', ''), plain)
    const object = fc.dictionary(name, fc.jsonValue())
    const layout = fc.constantFrom(undefined, 1, '\t', '  ')
    fc.assert(
      fc.property(object, object, fc.array(name), layout, (before, set, remove, indent) => {
        const body = bytes(JSON.stringify(before, undefined, indent))
        const expected = new Map(Object.entries(parsed(body.toString())))
        for (const each of remove) expected.delete(each)
        for (const [each, value] of Object.entries(parsed(JSON.stringify(set)))) expected.set(each, value)
        const after = spliceTopLevel(body, { set, remove })
        expect(new Map(Object.entries(parsed(after.toString())))).toEqual(expected)
      }),
      { numRuns: RUNS },
    )
  })
})

describe('scanObject', () => {
  it('finds the exact bytes of each value', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ minLength: 2 }), fc.jsonValue()),
        fc.constantFrom(undefined, 3),
        (object, indent) => {
          const body = bytes(JSON.stringify(object, undefined, indent))
          const scan = scanObject(body)
          expect(scan.close).toBe(body.length - 1)
          expect(scan.members.map((each) => each.name)).toEqual(Object.keys(parsed(body.toString())))
          for (const each of scan.members) {
            const text = body.toString('utf8', each.valueStart, each.valueEnd)
            expect(JSON.parse(text)).toEqual(parsed(body.toString())[each.name])
            expect(text.trim()).toBe(text)
          }
        },
      ),
      { numRuns: RUNS },
    )
  })

  it('measures nesting, and stops at its limit', () => {
    expect(scanObject(bytes(`{"a":${'['.repeat(70)}${']'.repeat(70)}}`)).depth).toBe(71)
    expect(scanObject(bytes(`{"a":${'['.repeat(5_000_000)}`), callerLimits).depth).toBe(65)
    expect(scanObject(bytes('{"a":"[[[[{{{{"}')).depth).toBe(1)
  })

  it.each([
    ['{}', 1],
    ['{"a":1}', 2],
    ['{"a":[],"b":{}}', 3],
    ['{"a":[1,2,[3]],"b":"[,,{"}', 7],
    ['{ "a" : [ ] , "b" : [ null ] }', 4],
  ])('counts the values of %s', (text, values) => {
    expect(scanObject(bytes(text)).values).toBe(values)
  })

  it('has separate limits for values, members and numbers', () => {
    const limits = { depthMax: 9, valuesMax: 6, membersMax: 3 }
    expect(scanObject(bytes('{"a":[1,2,3,4]}'), limits)).toMatchObject({ values: 6, close: 14 })
    expect(scanObject(bytes('{"a":[1,2,3,4,5]}'), limits).beyond).toBe('values')
    expect(scanObject(bytes('{"a":1,"b":1,"c":1,"d":1}'), limits).beyond).toBe('members')
    expect(scanObject(bytes('{"a":{"b":{}},"c":[0,0]}'), limits).beyond).toBeUndefined()
    const withNumbers = { ...limits, numbersMax: 4 }
    expect(scanObject(bytes('{"a":[1,-2, 3,4]}'), withNumbers)).toMatchObject({ values: 2, close: 16 })
    expect(scanObject(bytes('{"a":[1,2,3,4,5]}'), withNumbers).beyond).toBe('numbers')
    expect(scanObject(bytes('{"a":["","","","",""]}'), withNumbers).beyond).toBe('values')
  })

  it('never fails, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.string(), (noise, text) => {
        scanObject(Buffer.from(noise))
        scanObject(bytes(`{"${text}`))
        expect(scanObject(bytes(`${text}x`)).close).toBe(-1)
      }),
      { numRuns: 1000 },
    )
  })
})

function parsed(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text)
  return value !== null && typeof value === 'object' ? { ...value } : {}
}
