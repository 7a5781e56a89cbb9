import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseObject } from '../../json.ts'
import { ObjectCompletion } from './object-completion.ts'

test('an object is whole exactly when JSON.parse accepts it, whatever its pieces', () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value))
  const text = fc.tuple(object, fc.constantFrom('', ' ', '\n ', '{', '}', 'x', '{}'))
  fc.assert(
    fc.property(text, fc.nat(7), ([written, rest], step) => {
      const whole = written + rest
      const followed = new ObjectCompletion()
      for (let at = 0; at < whole.length; at += step + 1) followed.add(whole.slice(at, at + step + 1))
      expect(followed.isWhole).toBe(parseObject(whole) !== undefined)
    }),
  )
})

test('a text that is not an object is never whole', () => {
  for (const text of ['hello', '[1]', '"{}"', '{]', '{"a":}', '']) {
    const followed = new ObjectCompletion()
    followed.add(text)
    expect(followed.isWhole).toBe(false)
  }
})
