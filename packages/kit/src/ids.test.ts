import { describe, expect, it } from 'vitest'
import { randomAlphanumeric, randomToken, requestId, sha256Hex } from './ids.ts'

describe('ids', () => {
  it('generates keys of the requested length from the alphabet of the wire contract', () => {
    expect(randomAlphanumeric(48)).toMatch(/^[0-9A-Za-z]{48}$/)
  })

  it('generates tokens of 256 bits', () => {
    expect(Buffer.from(randomToken(), 'base64url')).toHaveLength(32)
  })

  it('hashes match the published SHA-256 test vectors', () => {
    expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })

  it('request ids begin with the time and are unique', () => {
    const ids = Array.from({ length: 10_000 }, () => requestId(Date.UTC(2026, 10, 21, 9, 0, 0)))
    expect(ids[0]).toMatch(/^20261121090000000[0-9A-Za-z]{8}$/)
    expect(new Set(ids).size).toBe(ids.length)
  })
})
