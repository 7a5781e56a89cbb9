import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { someText } from '../../test/support/arbitrary.ts'
import { freeTextArguments, freeTextFunction, readFreeText, FreeTextReader } from './free-text.ts'

function streamed(pieces: readonly string[]): string[] {
  const stream = new FreeTextReader()
  return [...pieces.map((piece) => stream.push(piece)), stream.end()]
}

function cut(text: string, at: readonly number[]): string[] {
  const places = [0, ...at.map((each) => each % (text.length + 1)), text.length].toSorted((a, b) => a - b)
  return places.slice(1).map((end, index) => text.slice(places[index], end))
}

describe('a free-text tool written as a function', () => {
  it('has one argument, and a description that contains the grammar', () => {
    const format = { syntax: 'lark', definition: 'start: "a"' } as const
    const written = freeTextFunction({ type: 'custom', name: 'apply_patch', description: 'Edits', format })
    expect(written.parameters).toMatchObject({
      properties: { input: { type: 'string' } },
      required: ['input'],
    })
    expect(written.description).toMatch(/^Edits\n\n.*`input`.*\n\n.*lark grammar:\nstart: "a"$/)
  })
})

describe('the text of a custom tool call', () => {
  it('survives the conversion to arguments and back', () => {
    fc.assert(
      fc.property(someText, (text) => {
        expect(readFreeText(freeTextArguments(text))).toBe(text)
      }),
    )
  })

  it('is the same when streamed, wherever the arguments are cut', () => {
    fc.assert(
      fc.property(fc.array(someText), fc.array(fc.nat(), { maxLength: 12 }), (texts, cuts) => {
        const text = texts.join('')
        expect(streamed(cut(freeTextArguments(text), cuts)).join('')).toBe(text)
        const spaced = ` { "input" : ${JSON.stringify(text)} } `
        expect(streamed(cut(spaced, cuts)).join('')).toBe(text)
      }),
    )
  })

  it('is emitted piece by piece while the arguments arrive', () => {
    expect(streamed(['{"inp', 'ut":"*** Be', 'gin\\', 'nPatch', '"}'])).toEqual([
      '',
      '*** Be',
      'gin',
      '\nPatch',
      '',
      '',
    ])
  })

  it('is never split inside a surrogate pair, escaped or not', () => {
    const escaped = '{"input":"a\\ud83d\\ude00b"}'
    for (let at = 0; at <= escaped.length; at++)
      expect(streamed([escaped.slice(0, at), escaped.slice(at)]).every((text) => text.isWellFormed())).toBe(
        true,
      )
    expect(streamed(['{"input":"\ud83d', '\ude00"}']).join('')).toBe('😀')
  })

  it.each([
    ['under another name', '{"patch":"a b"}', 'a b'],
    ['with a name in escapes', '{"inp\\u0075t":"a"}', 'a'],
    ['bare', '*** Begin Patch', '*** Begin Patch'],
    ['as an object', '{"input":{"a":1}}', '{"a":1}'],
    ['as one of several members', '{"a":"b","c":"d"}', '{"a":"b","c":"d"}'],
    ['beside others', '{"input":"a","why":"b"}', 'a'],
    ['with line breaks as they are', '{"input":"a\nb"}', 'a\nb'],
    ['nowhere', '', ''],
  ])('is found when a model writes it %s', (_how, written, text) => {
    for (let at = 0; at <= written.length; at++)
      expect(streamed([written.slice(0, at), written.slice(at)]).join('')).toBe(text)
  })

  it('continues after an escape that is invalid in JSON', () => {
    const written = '{"input":"a\\uZZZZ\\n\\d \\\\u\\\\b tail"}'
    for (let at = 0; at <= written.length; at++)
      expect(streamed([written.slice(0, at), written.slice(at)]).join('')).toBe('a\\uZZZZ\n\\d \\u\\b tail')
  })

  it('contains what arrived before the stream broke off', () => {
    expect(streamed(['{"input":"half of i']).join('')).toBe('half of i')
  })
})
