import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { Egress } from '@tollgate/egress/egress'
import { Problem } from '@tollgate/problems/problem'
import { JobFailure } from '../job.ts'
import type { BackupTarget } from './target.ts'

export interface S3Settings {
  /** Server, bucket and folder: `https://s3.example.com/bucket/folder`, without a slash at the end. */
  readonly address: string
  readonly region: string
  readonly accessKey: string
  readonly secret: string
}

/** The limit of S3 for an object that is sent in one piece. */
const BYTES_MAX = 5 * 1024 ** 3
const ANSWER_BYTES_MAX = 1024 * 1024
const ANSWER_MS = 300_000
/** Only our own names are read from a list, so that nothing else can be removed. */
const COPY_KEY = /<Key>(?:[^<]*\/)?(tollgate-\d{8}T\d{6}Z\.db)<\/Key>/g
const EMPTY_HASH = createHash('sha256').digest('hex')

/** A folder of a bucket, at any store that speaks S3 with addresses by path. */
export function s3Target(settings: S3Settings, egress: Pick<Egress, 'dispatcher'>): BackupTarget {
  const { origin, pathname } = new URL(settings.address)
  // Percent-encoded, as it is sent.
  const [bucket = '', ...folders] = pathname.split('/').filter((part) => part !== '')
  const prefix = folders.map((part) => `${part}/`).join('')

  async function request(method: 'GET' | 'PUT' | 'DELETE', target: string, sent?: Sent): Promise<string> {
    const url = new URL(target, origin)
    const { AwsV4Signer } = await import('aws4fetch')
    const hashed = { 'x-amz-content-sha256': sent?.hash ?? EMPTY_HASH }
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      headers: hashed,
      accessKeyId: settings.accessKey,
      secretAccessKey: settings.secret,
      region: settings.region,
      service: 's3',
    })
    const { headers } = await signer.sign()
    const answer = await egress
      .dispatcher(origin)
      .request({
        origin,
        method,
        path: url.pathname + url.search,
        headers: { ...Object.fromEntries(headers), ...(sent && { 'content-length': String(sent.bytes) }) },
        body: sent ? createReadStream(sent.path) : null,
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

  const pathOf = (name: string): string => `/${bucket}/${prefix}${name}`
  const list = async (): Promise<readonly string[]> => {
    const sought = encodeURIComponent(`${decodeURIComponent(prefix)}tollgate-`)
    const page = await request('GET', `/${bucket}?list-type=2&prefix=${sought}`)
    return [...page.matchAll(COPY_KEY)].map(([, name = '']) => name)
  }
  return {
    check: async () => {
      if (bucket === '')
        throw new JobFailure({
          en: 'The S3 address names no bucket: it is the first part of the path.',
          zh: 'S3 地址中没有存储桶：路径的第一部分应为存储桶名称。',
        })
      await list()
    },
    put: async (name, path, signal) => {
      const { size: bytes } = await stat(path)
      if (bytes > BYTES_MAX)
        throw new JobFailure({
          en: 'The copy is larger than 5 GiB, which S3 does not take in one piece: use a folder.',
          zh: '备份超过 5 GiB，无法一次上传到 S3，请使用文件夹。',
        })
      await request('PUT', pathOf(name), { path, bytes, hash: await hashOf(path), signal })
    },
    list,
    remove: async (name) => void (await request('DELETE', pathOf(name))),
  }
}

interface Sent {
  readonly path: string
  readonly bytes: number
  /** The store compares it with what it received. */
  readonly hash: string
  readonly signal: AbortSignal
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
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
