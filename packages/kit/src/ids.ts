import { hash, randomBytes, randomInt } from 'node:crypto'

const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Returns `length` characters of 0-9A-Za-z from the crypto module. */
export function randomAlphanumeric(length: number): string {
  let text = ''
  for (let i = 0; i < length; i++) text += ALPHANUMERIC[randomInt(ALPHANUMERIC.length)]
  return text
}

/** 256 random bits as base64url by default, for session ids and OAuth states. */
export function randomToken(bytes = 32): string {
  return randomBytes(bytes).toString('base64url')
}

/** SHA-256 as lower-case hexadecimal; used to store tokens, codes and session ids as hashes. */
export function sha256Hex(text: string): string {
  return hash('sha256', text)
}

/** `yyyymmddHHMMSS` + milliseconds + 8 random alphanumerics (UTC): sortable, unique, and safe in a header. */
export function requestId(nowMs: number): string {
  return stampOf(nowMs) + fastAlphanumeric(8)
}

let stampedSecond = Number.NaN
let secondStamp = ''

/** Cached per second: under load many ids are generated within one. */
function stampOf(nowMs: number): string {
  const second = Math.floor(nowMs / 1000)
  if (second !== stampedSecond) {
    secondStamp = new Date(second * 1000).toISOString().replace(/\D/g, '').slice(0, -3)
    stampedSecond = second
  }
  return secondStamp + String(Math.floor(nowMs) - second * 1000).padStart(3, '0')
}

const POOL_CHARACTERS = 4096
let pool = ''
let poolOffset = 0

/**
 * Draws from a refilled pool: one system call per 4 KiB instead of one per id. The modulo bias does not
 * matter for ids.
 */
function fastAlphanumeric(length: number): string {
  if (poolOffset + length > pool.length) {
    const codes = randomBytes(POOL_CHARACTERS).map((byte) =>
      ALPHANUMERIC.charCodeAt(byte % ALPHANUMERIC.length),
    )
    pool = Buffer.from(codes).toString('latin1')
    poolOffset = 0
  }
  poolOffset += length
  return pool.slice(poolOffset - length, poolOffset)
}
