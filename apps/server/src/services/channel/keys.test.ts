import { describe, expect, it } from 'vitest'
import { previewKeys, readKeys, splitKeys } from './keys.ts'

describe('the keys of a channel', () => {
  it('keys are separated by commas or lines, trimmed, without empty ones and duplicates', () => {
    expect(splitKeys(' sk-a, sk-b\n\nsk-c,\r\nsk-a,')).toEqual(['sk-a', 'sk-b', 'sk-c'])
  })

  it('a JSON object is a single key, including its commas', () => {
    const account = '{"client_email":"a@b.c",\n"private_key":"x,y"}'
    expect(splitKeys(` ${account}\n`)).toEqual([account.replace('\n', '')])
    expect(() => splitKeys('{"broken')).toThrow('channel_key_malformed')
  })

  it.each(['{"a":"1,2"}\n\n{"b":3}\r\n{"b": 3}', '[{"a": "1,2"},\n{"b":3}]'])(
    'several JSON objects are several keys: %j',
    (text) => {
      expect(splitKeys(text)).toEqual(['{"a":"1,2"}', '{"b":3}'])
      expect(previewKeys(text)).toBe('{***} +1')
    },
  )

  it.each(['', ' , \n'])('at least one key is required: %j', (text) => {
    expect(() => readKeys(text, undefined)).toThrow('channel_key_missing')
  })

  it('a key with control characters is rejected', () => {
    expect(() => readKeys('sk-a\u0000b', undefined)).toThrow('channel_key_malformed')
  })

  it('keys are stored one per line', () => {
    expect(readKeys('sk-a,sk-b', undefined)).toBe('sk-a\nsk-b')
  })
})

describe('previewKeys', () => {
  it.each([
    ['sk-abcdefghijklmnopqrstuvwxyz', 'sk-abc***wxyz'],
    ['short-key', '***'],
    ['sk-abcdefghijklmnopqrstuvwxyz,two,three', 'sk-abc***wxyz +2'],
    ['{"a":1}', '{***}'],
  ])('the preview of %s is %s', (keys, preview) => {
    expect(previewKeys(keys)).toBe(preview)
  })
})
