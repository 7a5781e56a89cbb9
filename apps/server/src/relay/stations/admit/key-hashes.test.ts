import { sha256Hex } from '@tollgate/kit/ids'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { KeyHashes } from './key-hashes.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a hash is the same whether it was kept or not', () => {
  const hashes = new KeyHashes()
  expect(hashes.of('abc')).toBe(sha256Hex('abc'))
  hashes.keep('abc', hashes.of('abc'))
  expect(hashes.of('abc')).toBe(sha256Hex('abc'))
  expect(hashes.of('abd')).toBe(sha256Hex('abd'))
})

test('a key is forgotten within a minute, also when no call follows', () => {
  const hashes = new KeyHashes()
  hashes.keep('first', 'kept')
  vi.advanceTimersByTime(30_000)
  hashes.keep('second', 'kept')
  expect([hashes.of('first'), hashes.of('second')]).toEqual(['kept', 'kept'])
  vi.advanceTimersByTime(30_000)
  expect([hashes.of('first'), hashes.of('second')]).toEqual([sha256Hex('first'), sha256Hex('second')])
})

test('no more than a thousand keys are kept', () => {
  const hashes = new KeyHashes()
  for (let number = 0; number <= 1_000; number++) hashes.keep(`key ${number}`, 'kept')
  expect(hashes.of('key 0')).toBe(sha256Hex('key 0'))
  expect(hashes.of('key 1000')).toBe('kept')
})
