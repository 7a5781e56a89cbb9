import { randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { openCipher } from './cipher.ts'

const cipher = openCipher(randomBytes(32))

test('an encrypted text decrypts again, and encrypting twice gives different results', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (text, context) => {
      expect(cipher.decrypt(cipher.encrypt(text, context), context)).toBe(text)
      expect(cipher.encrypt(text, context)).not.toBe(cipher.encrypt(text, context))
    }),
  )
})

test('decryption fails with another context, another key or any changed byte', () => {
  const sealed = cipher.encrypt('sk-secret', 'channel:1')
  expect(() => cipher.decrypt(sealed, 'channel:2')).toThrow()
  expect(() => openCipher(randomBytes(32)).decrypt(sealed, 'channel:1')).toThrow()
  const bytes = Buffer.from(sealed.slice(3), 'base64url')
  for (let i = 0; i < bytes.length; i++) {
    const changed = Buffer.from(bytes)
    changed[i] = (changed[i] ?? 0) ^ 1
    expect(() => cipher.decrypt(`v1.${changed.toString('base64url')}`, 'channel:1')).toThrow()
    expect(() => cipher.decrypt(`v1.${bytes.subarray(0, i).toString('base64url')}`, 'channel:1')).toThrow()
  }
})

test('a key of the wrong length is rejected at once', () => {
  expect(() => openCipher(Buffer.alloc(16))).toThrow('32 bytes')
})
