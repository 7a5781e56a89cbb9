import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Egress } from '@tollgate/egress/egress'
import { withoutBucket } from './s3-errors.ts'
import { type S3Body, type S3Request, type S3Settings, readText, s3Sender } from './s3-request.ts'
import { type LargeFile, uploadParts } from './s3-upload.ts'

/** A folder of a bucket, at any store that speaks S3 with addresses by path. Failures are a `JobFailure`. */
export interface S3Store {
  /** `http://host:port` of the store. */
  readonly origin: string
  /** `name`: relative to the folder; letters, digits and `-./` only. */
  put(name: string, sent: Sent): Promise<void>
  /** Sends a file in parts, for those that are larger than one request may be. */
  putLarge(name: string, file: LargeFile): Promise<void>
  get(name: string, signal: AbortSignal): Promise<Received>
  remove(name: string): Promise<void>
  /** A small object with its version; `undefined` if there is none. */
  getText(name: string): Promise<{ readonly text: string; readonly version: string } | undefined>
  /** Writes a small object if it still has this version, or does not exist. Resolves to false if that is not so. */
  swapText(
    name: string,
    change: { readonly text: string; readonly expected: string | undefined },
  ): Promise<boolean>
  /** The first thousand objects of the folder whose names begin like this, as the store's XML. */
  list(start: string): Promise<string>
}

export interface Sent extends S3Body {
  readonly signal: AbortSignal
}

export interface Received {
  readonly body: Readable
  /** `undefined`: the store did not say. */
  readonly bytes: number | undefined
  /** SHA-256 in hexadecimal that was stored with the object; `undefined`: whoever stored it gave none. */
  readonly hash: string | undefined
}

/** Kept with an object, because the checksum of a store covers its parts only. */
const HASH_HEADER = 'x-amz-meta-sha256'

export function openS3Store(settings: S3Settings, egress: Pick<Egress, 'dispatcher'>): S3Store {
  const { origin, pathname } = new URL(settings.address)
  // Percent-encoded, as it is sent.
  const [bucket = '', ...folders] = pathname.split('/').filter((part) => part !== '')
  const prefix = folders.map((part) => `${part}/`).join('')
  const sender = s3Sender(settings, egress)
  const pathOf = (name: string): string => `/${bucket}/${prefix}${name}`

  async function send(request: S3Request) {
    if (bucket === '') throw withoutBucket()
    return sender(request)
  }

  async function sendForText(request: S3Request): Promise<string> {
    return readText((await send(request)).body)
  }

  return {
    origin,
    put: async (name, { signal, ...sent }) => {
      const headers = { [HASH_HEADER]: sent.hash }
      await sendForText({ method: 'PUT', target: pathOf(name), headers, sent, signal })
    },
    putLarge: (name, file) =>
      uploadParts({ send, path: pathOf(name), headers: { [HASH_HEADER]: file.hash }, file }),
    get: async (name, signal) => {
      const { body, headers } = await send({ method: 'GET', target: pathOf(name), signal })
      const length = Number(headers['content-length'])
      const hash = headers[HASH_HEADER]
      return {
        body,
        bytes: Number.isSafeInteger(length) ? length : undefined,
        hash: typeof hash === 'string' ? hash : undefined,
      }
    },
    getText: async (name) => {
      const answer = await send({ method: 'GET', target: pathOf(name), expected: [404] })
      const text = await readText(answer.body)
      const { etag } = answer.headers
      return answer.statusCode === 404 ? undefined : { text, version: typeof etag === 'string' ? etag : '' }
    },
    swapText: async (name, { text, expected }) => {
      const bytes = Buffer.from(text)
      const headers: Record<string, string> =
        expected === undefined ? { 'if-none-match': '*' } : { 'if-match': expected }
      const hash = createHash('sha256').update(bytes).digest('hex')
      const sent = { body: () => bytes, bytes: bytes.length, hash }
      // 409: another conditional write is under way; 404: the object was removed meanwhile.
      const answer = await send({
        method: 'PUT',
        target: pathOf(name),
        headers,
        sent,
        expected: [404, 409, 412],
      })
      await readText(answer.body)
      return answer.statusCode < 300
    },
    remove: async (name) => void (await sendForText({ method: 'DELETE', target: pathOf(name) })),
    list: (start) => {
      const sought = encodeURIComponent(decodeURIComponent(prefix) + start)
      return sendForText({ method: 'GET', target: `/${bucket}?list-type=2&prefix=${sought}` })
    },
  }
}
