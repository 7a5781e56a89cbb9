import { canonicalHeaders, hmac, hmacChain, sha256Hex } from './digest.ts'
import type { SigV4Input } from './sigv4.ts'

/** Returns the headers of a signed request with a body of JSON. https://www.volcengine.com/docs/6369/67269 */
export function volcengineHeaders(input: Omit<SigV4Input, 'headers'>): Readonly<Record<string, string>> {
  const { accessKey, secretKey, region, service, method, url, body, nowMs } = input
  const stamp = new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const bodyHash = sha256Hex(body)
  const { lines, names } = canonicalHeaders({
    'content-type': 'application/json',
    host: url.host,
    'x-content-sha256': bodyHash,
    'x-date': stamp,
  })
  const query = new URLSearchParams(url.search)
  query.sort()
  const canonical = [method, url.pathname, query.toString(), lines, names, bodyHash].join('\n')
  const date = stamp.slice(0, 8)
  const scope = `${date}/${region}/${service}/request`
  const key = hmacChain(secretKey, [date, region, service, 'request'])
  const signature = hmac(key, ['HMAC-SHA256', stamp, scope, sha256Hex(canonical)].join('\n')).toString('hex')
  return {
    'x-date': stamp,
    'x-content-sha256': bodyHash,
    authorization: `HMAC-SHA256 Credential=${accessKey}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  }
}
