import { randomBytes } from 'node:crypto'
import { sha256Hex } from '@tollgate/kit/ids'
import { openCipher } from '@tollgate/kit/cipher'
import { describe, expect, it } from 'vitest'
import { keyFilter, newKey, openKey, storeKey } from './key.ts'

const cipher = openCipher(randomBytes(32))

describe('token keys', () => {
  it('newKey returns 48 random alphanumeric characters', () => {
    const keys = new Set(Array.from({ length: 200 }, newKey))
    expect(keys.size).toBe(200)
    for (const key of keys) expect(key).toMatch(/^[0-9A-Za-z]{48}$/)
  })

  it('the stored form shows the first and last three characters of the key and nothing else', () => {
    const key = newKey()
    const stored = storeKey(key, cipher)
    expect(stored.key_preview).toBe(`${key.slice(0, 3)}***${key.slice(-3)}`)
    expect(JSON.stringify(stored)).not.toContain(key.slice(3, -3))
    expect(stored.key_hash).toBe(sha256Hex(key))
    expect(openKey(stored, cipher)).toBe(key)
  })

  it('an encrypted key cannot be decrypted in another row', () => {
    const mine = storeKey(newKey(), cipher)
    const other = storeKey(newKey(), cipher)
    expect(() => openKey({ key_hash: other.key_hash, key_sealed: mine.key_sealed }, cipher)).toThrow()
  })
})

describe('a search by key', () => {
  it.each([
    ['characters of the key are not stripped', 'skABs', { start: 'skA', end: 'ABs' }],
    ['one leading sk- is no part of the key', 'sk-skA', { start: 'skA', end: 'skA' }],
    ['a short part is taken whole', 'ab', { start: 'ab', end: 'ab' }],
    ['the preview itself finds its token', 'abc***xyz', { start: 'abc', end: 'xyz' }],
  ])('%s', (_title, term, keyEdges) => {
    expect(keyFilter(term)).toEqual({ keyEdges })
  })

  it('for a whole key compares its hash, with or without sk-', () => {
    const key = newKey()
    expect(keyFilter(key)).toEqual({ keyHash: sha256Hex(key) })
    expect(keyFilter(`sk-${key}`)).toEqual({ keyHash: sha256Hex(key) })
  })

  it.each([undefined, '', 'sk-'])('for %j matches every token', (term) => {
    expect(keyFilter(term)).toEqual({})
  })
})
