import { describe, expect, it } from 'vitest'
import { previewKeys, readKeys, splitKeys } from './keys.ts'

describe('the keys of a channel', () => {
  it('are separated by commas or lines, trimmed, without empty ones, each once', () => {
    expect(splitKeys(' sk-a, sk-b\n\nsk-c,\r\nsk-a,')).toEqual(['sk-a', 'sk-b', 'sk-c'])
  })

  it('are a single one when the text is a JSON object, commas and all', () => {
    const account = '{"client_email":"a@b.c",\n"private_key":"x,y"}'
    expect(splitKeys(` ${account}\n`)).toEqual([account.replace('\n', '')])
    expect(() => splitKeys('{"broken')).toThrow('channel_key_malformed')
  })

  it.each(['{"a":"1,2"}\n\n{"b":3}\r\n{"b": 3}', '[{"a": "1,2"},\n{"b":3}]'])(
    'are several objects: %j',
    (text) => {
      expect(splitKeys(text)).toEqual(['{"a":"1,2"}', '{"b":3}'])
      expect(previewKeys(text)).toBe('{***} +1')
    },
  )

  it.each(['', ' , \n'])('must not be none: %j', (text) => {
    expect(() => readKeys(text, undefined)).toThrow('channel_key_missing')
  })

  it('carry no control characters into a header', () => {
    expect(() => readKeys('sk-a\u0000b', undefined)).toThrow('channel_key_malformed')
  })

  it('are sealed one a line', () => {
    expect(readKeys('sk-a,sk-b', undefined)).toBe('sk-a\nsk-b')
  })
})

describe('a preview', () => {
  it.each([
    ['sk-abcdefghijklmnopqrstuvwxyz', 'sk-abc***wxyz'],
    ['short-key', '***'],
    ['sk-abcdefghijklmnopqrstuvwxyz,two,three', 'sk-abc***wxyz +2'],
    ['{"a":1}', '{***}'],
  ])('of %s is %s', (keys, preview) => {
    expect(previewKeys(keys)).toBe(preview)
  })
})
