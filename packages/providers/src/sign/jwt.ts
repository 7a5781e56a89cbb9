import { createHmac, sign } from 'node:crypto'

/**
 * Header and claims of a token; members are written in the order given. The unit of times depends on the
 * vendor.
 */
export interface JwtParts {
  readonly header: Readonly<Record<string, string>>
  readonly claims: Readonly<Record<string, string | number>>
}

/** A compact JWS (RFC 7515) with HMAC-SHA256. */
export function signHs256(parts: JwtParts, secret: string): string {
  const signed = signingInput(parts)
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

/** A compact JWS with RSASSA-PKCS1-v1_5 and SHA-256. Throws when the PEM text is not a private key. */
export function signRs256(parts: JwtParts, privateKeyPem: string): string {
  const signed = signingInput(parts)
  return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), privateKeyPem).toString('base64url')}`
}

function signingInput({ header, claims }: JwtParts): string {
  return `${base64url(header)}.${base64url(claims)}`
}

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
