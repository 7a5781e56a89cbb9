import { createHash, timingSafeEqual } from 'node:crypto'

/** Fields by name in byte order, without the signature itself and without empty ones; then the merchant's key; MD5. */
export function epaySignature(fields: Readonly<Record<string, string>>, key: string): string {
  const text = Object.entries(fields)
    .filter(([name, value]) => name !== 'sign' && name !== 'sign_type' && value !== '')
    .toSorted(([left], [right]) => Buffer.compare(Buffer.from(left), Buffer.from(right)))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
  return createHash('md5').update(`${text}${key}`).digest('hex')
}

/** How long it takes tells nothing about where the two differ. */
export function isEpaySigned(fields: Readonly<Record<string, string>>, key: string): boolean {
  const told = Buffer.from((fields['sign'] ?? '').toLowerCase())
  const right = Buffer.from(epaySignature(fields, key))
  return told.length === right.length && timingSafeEqual(told, right)
}
