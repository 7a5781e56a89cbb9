import { canonicalHeaders, hmac, hmacChain, sha256Hex } from './digest.ts'

export interface SigV4Input {
  readonly accessKey: string
  readonly secretKey: string
  readonly region: string
  readonly service: string
  readonly method: string
  /**
   * The URL as it is sent. For the signature its path is encoded a second time, as every service except S3
   * requires.
   */
  readonly url: URL
  /** Headers to sign besides `host` and `x-amz-date`. */
  readonly headers: Readonly<Record<string, string>>
  /** The exact bytes that are sent. */
  readonly body: Buffer
  readonly nowMs: number
}

/**
 * Returns the headers that AWS Signature Version 4 adds to a request: `x-amz-date` and `authorization`.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export function sigV4Headers(input: SigV4Input): { 'x-amz-date': string; authorization: string } {
  const { accessKey, secretKey, region, service, nowMs } = input
  const time = amzDate(nowMs)
  const date = time.slice(0, 8)
  const { request, names } = canonicalRequest(input, time)
  const scope = `${date}/${region}/${service}/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256Hex(request)].join('\n')
  const key = hmacChain(`AWS4${secretKey}`, [date, region, service, 'aws4_request'])
  const signature = hmac(key, toSign).toString('hex')
  return {
    'x-amz-date': time,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKey}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  }
}

function canonicalRequest(
  { method, url, headers, body }: SigV4Input,
  time: string,
): { readonly request: string; readonly names: string } {
  const { lines, names } = canonicalHeaders({ ...headers, host: url.host, 'x-amz-date': time })
  const request = [method, canonicalPath(url), canonicalQuery(url), lines, names, sha256Hex(body)].join('\n')
  return { request, names }
}

/** A time such as `20231114T221320Z`. */
function amzDate(nowMs: number): string {
  return new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d{3}/g, '')
}

function canonicalPath({ pathname }: URL): string {
  return pathname.split('/').map(encode).join('/')
}

function canonicalQuery({ searchParams }: URL): string {
  return [...searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')
}

/** Percent-encodes everything but the unreserved characters of RFC 3986. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
