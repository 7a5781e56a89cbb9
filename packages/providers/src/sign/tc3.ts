import { canonicalHeaders, hmac, hmacChain, sha256Hex } from './digest.ts'

export interface Tc3Input {
  readonly secretId: string
  readonly secretKey: string
  /** The first label of the host, such as `hunyuan`. */
  readonly service: string
  /** The headers that the signature covers, at least `host` and `content-type`. */
  readonly headers: Readonly<Record<string, string>>
  /** The exact bytes that are sent. */
  readonly body: Buffer
  readonly nowMs: number
}

/**
 * Returns the `Authorization` header of TC3-HMAC-SHA256 for a POST to `/` without a query.
 * https://cloud.tencent.com/document/api/213/30654
 */
export function tc3Authorization(input: Tc3Input): string {
  const { secretId, secretKey, service, body, nowMs } = input
  const { lines, names } = canonicalHeaders(lowered(input.headers))
  const canonical = ['POST', '/', '', lines, names, sha256Hex(body)].join('\n')
  const date = new Date(nowMs).toISOString().slice(0, 10)
  const scope = `${date}/${service}/tc3_request`
  const toSign = ['TC3-HMAC-SHA256', tc3Timestamp(nowMs), scope, sha256Hex(canonical)].join('\n')
  const key = hmacChain(`TC3${secretKey}`, [date, service, 'tc3_request'])
  const signature = hmac(key, toSign).toString('hex')
  return `TC3-HMAC-SHA256 Credential=${secretId}/${scope}, SignedHeaders=${names}, Signature=${signature}`
}

/** Returns the value of `X-TC-Timestamp`, in whole seconds. */
export function tc3Timestamp(nowMs: number): string {
  return String(Math.floor(nowMs / 1000))
}

/** TC3 signs header values in lower case too. */
function lowered(headers: Tc3Input['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.toLowerCase()]))
}
