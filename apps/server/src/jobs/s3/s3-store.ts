import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Egress } from '@tollgate/egress/egress'
import { Problem } from '@tollgate/problems/problem'
import { JobFailure } from '../job.ts'

export interface S3Settings {
  /** Server, bucket and folder: `https://s3.example.com/bucket/folder`, without a slash at the end. */
  readonly address: string
  readonly region: string
  readonly accessKey: string
  readonly secret: string
}

/** A folder of a bucket, at any store that speaks S3 with addresses by path. Failures are a `JobFailure`. */
export interface S3Store {
  /** `name`: relative to the folder; letters, digits and `-./` only. */
  put(name: string, sent: Sent): Promise<void>
  remove(name: string): Promise<void>
  /** The first thousand objects of the folder whose names begin like this, as the store's XML. */
  list(start: string): Promise<string>
}

export interface Sent {
  readonly body: () => Buffer | Readable
  readonly bytes: number
  /** SHA-256 in hexadecimal; the store compares it with what it received. */
  readonly hash: string
  readonly signal: AbortSignal
}

const ANSWER_BYTES_MAX = 1024 * 1024
const ANSWER_MS = 300_000
const EMPTY_HASH = createHash('sha256').digest('hex')

export function openS3Store(settings: S3Settings, egress: Pick<Egress, 'dispatcher'>): S3Store {
  const { origin, pathname } = new URL(settings.address)
  // Percent-encoded, as it is sent.
  const [bucket = '', ...folders] = pathname.split('/').filter((part) => part !== '')
  const prefix = folders.map((part) => `${part}/`).join('')

  async function request(method: 'GET' | 'PUT' | 'DELETE', target: string, sent?: Sent): Promise<string> {
    if (bucket === '') throw withoutBucket()
    const url = new URL(target, origin)
    const { AwsV4Signer } = await import('aws4fetch')
    const { headers } = await new AwsV4Signer({
      method,
      url: url.href,
      headers: { 'x-amz-content-sha256': sent?.hash ?? EMPTY_HASH },
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
        signal: sent?.signal,
        headersTimeout: ANSWER_MS,
        bodyTimeout: ANSWER_MS,
      })
      .catch((cause: unknown) => {
        throw unreachable(origin, cause)
      })
    const text = await readText(answer.body)
    if (answer.statusCode < 200 || answer.statusCode > 299) throw refused(answer.statusCode, text)
    return text
  }

  return {
    put: async (name, sent) => void (await request('PUT', `/${bucket}/${prefix}${name}`, sent)),
    remove: async (name) => void (await request('DELETE', `/${bucket}/${prefix}${name}`)),
    list: (start) => {
      const sought = encodeURIComponent(decodeURIComponent(prefix) + start)
      return request('GET', `/${bucket}?list-type=2&prefix=${sought}`)
    },
  }
}

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > ANSWER_BYTES_MAX) break
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function withoutBucket(): JobFailure {
  return new JobFailure({
    en: 'The S3 address names no bucket: it is the first part of the path.',
    zh: 'S3 地址中没有存储桶：路径的第一部分应为存储桶名称。',
  })
}

/** `code` is what S3 calls the error, for example `NoSuchBucket`; other text of the answer is not shown. */
function refused(status: number, text: string): JobFailure {
  const [, code = 'no code'] = /<Code>(\w{1,64})<\/Code>/.exec(text) ?? []
  return new JobFailure({
    en: `The S3 store answered ${status} (${code}): check the address, the region, the key and its secret.`,
    zh: `S3 存储返回 ${status}（${code}）：请检查地址、区域和访问密钥。`,
  })
}

function unreachable(origin: string, cause: unknown): JobFailure {
  const isRefused = cause instanceof Problem && cause.code === 'destination_refused'
  const words = isRefused
    ? {
        en: `The S3 store at ${origin} has a private address: add it to EGRESS_ALLOW.`,
        zh: `${origin} 的 S3 存储使用内网地址：请将其加入 EGRESS_ALLOW。`,
      }
    : {
        en: `The S3 store at ${origin} cannot be reached: check the address.`,
        zh: `无法连接 ${origin} 的 S3 存储：请检查地址。`,
      }
  return new JobFailure(words, { cause })
}
