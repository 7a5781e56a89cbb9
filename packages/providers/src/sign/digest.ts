import { createHash, createHmac } from 'node:crypto'

export function sha256Hex(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex')
}

export function hmac(key: string | Buffer, data: string): Buffer {
  return createHmac('sha256', key).update(data).digest()
}

/** Derives a signing key: the HMAC of each word is keyed with the result of the one before. */
export function hmacChain(secret: string, words: readonly string[]): Buffer {
  return words.reduce<Buffer>((key, word) => hmac(key, word), Buffer.from(secret))
}

/**
 * Canonical headers: names in lower case and sorted, values trimmed and with single spaces, and a line break
 * after every line.
 */
export function canonicalHeaders(headers: Readonly<Record<string, string>>): {
  readonly lines: string
  readonly names: string
} {
  const entries = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value.trim().replaceAll(/\s+/g, ' ')] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    lines: entries.map(([name, value]) => `${name}:${value}\n`).join(''),
    names: entries.map(([name]) => name).join(';'),
  }
}
