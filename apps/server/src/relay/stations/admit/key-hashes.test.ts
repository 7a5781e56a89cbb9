import { sha256Hex } from '@tollgate/kit/ids'
import { expect, test } from 'vitest'
import { KeyHashes } from './key-hashes.ts'

test('a hash is the same whether it was kept or not', () => {
  const hashes = new KeyHashes()
  expect(hashes.of('abc')).toBe(sha256Hex('abc'))
  hashes.keep('abc', hashes.of('abc'), 0)
  expect(hashes.of('abc')).toBe(sha256Hex('abc'))
  expect(hashes.of('abd')).toBe(sha256Hex('abd'))
})

test('a key is forgotten after a minute, and when there are too many', () => {
  const hashes = new KeyHashes()
  hashes.keep('old', 'kept', 1_000)
  expect(hashes.of('old')).toBe('kept')
  hashes.keep('new', 'kept', 61_000)
  expect(hashes.of('old')).toBe(sha256Hex('old'))
  expect(hashes.of('new')).toBe('kept')
  for (let number = 0; number < 1_000; number++) hashes.keep(`key ${number}`, 'kept', 61_000)
  expect(hashes.of('new')).toBe(sha256Hex('new'))
  expect(hashes.of('key 999')).toBe('kept')
})
