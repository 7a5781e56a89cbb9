import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Egress } from '@tollgate/egress/egress'
import { brokenOff, refused, unreachable } from './s3-errors.ts'

export interface S3Settings {
  /** Server, bucket and folder: `https://s3.example.com/bucket/folder`, without a slash at the end. */
  readonly address: string
  readonly region: string
  readonly accessKey: string
  readonly secret: string
}

export interface S3Request {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** Path with query, percent-encoded. */
  readonly target: string
  readonly headers?: Readonly<Record<string, string>>
  readonly sent?: S3Body
  readonly signal?: AbortSignal
  /** Statuses besides success that the caller handles. */
  readonly expected?: readonly number[]
}

export interface S3Body {
  readonly body: () => Buffer | Readable
  readonly bytes: number
  /** SHA-256 in hexadecimal; the store compares it with what it received. */
  readonly hash: string
}

type S3Dispatcher = ReturnType<Egress['dispatcher']>
export type S3Answer = Awaited<ReturnType<S3Dispatcher['request']>>

const ANSWER_BYTES_MAX = 1024 * 1024
const ANSWER_MS = 300_000
const EMPTY_HASH = createHash('sha256').digest('hex')

/** Signs requests and sends them. An answer that is no success is thrown as a `JobFailure`. */
export function s3Sender(settings: S3Settings, egress: Pick<Egress, 'dispatcher'>) {
  const { origin } = new URL(settings.address)
  return async ({
    method,
    target,
    headers: extra,
    sent,
    signal,
    expected = [],
  }: S3Request): Promise<S3Answer> => {
    const url = new URL(target, origin)
    const { AwsV4Signer } = await import('aws4fetch')
    const { headers } = await new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...extra, 'x-amz-content-sha256': sent?.hash ?? EMPTY_HASH },
      accessKeyId: settings.accessKey,
      secretAccessKey: settings.secret,
      region: settings.region,
      service: 's3',
    }).sign()
    const answer = await egress
      .dispatcher(origin)
      .request({
        origin,
        method,
        path: url.pathname + url.search,
        headers: { ...Object.fromEntries(headers), ...(sent && { 'content-length': String(sent.bytes) }) },
        body: sent ? sent.body() : null,
        signal,
        headersTimeout: ANSWER_MS,
        bodyTimeout: ANSWER_MS,
      })
      .catch((cause: unknown) => {
        throw unreachable(origin, cause)
      })
    const isExpected = expected.includes(answer.statusCode)
    if (!isExpected && (answer.statusCode < 200 || answer.statusCode > 299))
      throw refused(answer.statusCode, await readText(answer.body))
    return answer
  }
}

export async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of body) {
      bytes += chunk.length
      if (bytes > ANSWER_BYTES_MAX) break
      chunks.push(chunk)
    }
  } catch (cause) {
    throw brokenOff(cause)
  }
  return Buffer.concat(chunks).toString()
}
