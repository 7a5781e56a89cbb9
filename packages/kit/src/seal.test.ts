import { randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { openSeal } from './seal.ts'

const seal = openSeal(randomBytes(32))

test('what was sealed opens again, and two seals of one text differ', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (text, context) => {
      expect(seal.open(seal.seal(text, context), context)).toBe(text)
      expect(seal.seal(text, context)).not.toBe(seal.seal(text, context))
    }),
  )
})

test('another context, another key, and any changed byte are refused', () => {
  const sealed = seal.seal('sk-secret', 'channel:1')
  expect(() => seal.open(sealed, 'channel:2')).toThrow()
  expect(() => openSeal(randomBytes(32)).open(sealed, 'channel:1')).toThrow()
  const bytes = Buffer.from(sealed.slice(3), 'base64url')
  for (let i = 0; i < bytes.length; i++) {
    const changed = Buffer.from(bytes)
    changed[i] = (changed[i] ?? 0) ^ 1
    expect(() => seal.open(`v1.${changed.toString('base64url')}`, 'channel:1')).toThrow()
    expect(() => seal.open(`v1.${bytes.subarray(0, i).toString('base64url')}`, 'channel:1')).toThrow()
  }
})

test('a key of another length is refused at once', () => {
  expect(() => openSeal(Buffer.alloc(16))).toThrow('32 bytes')
})
