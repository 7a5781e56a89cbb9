import { createHash, timingSafeEqual } from 'node:crypto'

/**
 * MD5 over the non-empty fields except the signature, sorted by name in byte order, followed by the
 * merchant's key.
 */
export function epaySignature(fields: Readonly<Record<string, string>>, key: string): string {
  const text = Object.entries(fields)
    .filter(([name, value]) => name !== 'sign' && name !== 'sign_type' && value !== '')
    .toSorted(([left], [right]) => Buffer.compare(Buffer.from(left), Buffer.from(right)))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
  return createHash('md5').update(`${text}${key}`).digest('hex')
}

/** Compares in constant time. */
export function isEpaySigned(fields: Readonly<Record<string, string>>, key: string): boolean {
  const reported = Buffer.from((fields['sign'] ?? '').toLowerCase())
  const right = Buffer.from(epaySignature(fields, key))
  return reported.length === right.length && timingSafeEqual(reported, right)
}
