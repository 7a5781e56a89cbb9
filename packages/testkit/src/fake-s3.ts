import { createHash, createHmac } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An object store that speaks as much of S3 as backups need, and checks each signature by its own arithmetic. */
export interface FakeS3 {
  /** `http://127.0.0.1:port` */
  readonly url: string
  /** Content by path, for example `/bucket/folder/name`. */
  readonly objects: Map<string, Buffer>
  /** Values of `x-amz-meta-sha256` by path. */
  readonly hashes: Map<string, string>
  /** Uploads in parts that were neither completed nor aborted, by id. */
  readonly uploads: Map<string, Parts>
  /** Largest body that one request had, in bytes. */
  bytesMax: number
  /**
   * Decides what goes wrong with a request: an error or a refusal instead of an answer, an error text with status 200,
   * a connection that ends without an answer, or an answer that ends in the middle.
   */
  fault: (method: string, url: URL) => Fault | undefined
  close(): Promise<void>
}

export type Fault = 'error' | 'error-with-200' | 'refused' | 'drop' | 'cut'
type Parts = Map<number, Buffer>

export const FAKE_S3 = {
  bucket: 'bucket',
  region: 'eu-test-1',
  accessKey: 'AKIDTEST',
  secret: 'a secret / with +',
}

export async function startFakeS3(): Promise<FakeS3> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => answer(store, { request, response, body: Buffer.concat(chunks) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo
  const store: FakeS3 = {
    url: `http://127.0.0.1:${port}`,
    objects: new Map(),
    hashes: new Map(),
    uploads: new Map(),
    bytesMax: 0,
    fault: () => undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return store
}

interface Asked {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: Buffer
}

function answer(store: FakeS3, { request, response, body }: Asked): void {
  const url = new URL(request.url ?? '', 'http://store')
  const fail = (status: number, code: string): void =>
    void response.writeHead(status).end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`)
  store.bytesMax = Math.max(store.bytesMax, body.length)
  if (sha256(body) !== request.headers['x-amz-content-sha256']) return fail(400, 'XAmzContentSHA256Mismatch')
  if (request.headers.authorization !== authorization(request, url)) return fail(403, 'SignatureDoesNotMatch')
  if (url.pathname.split('/')[1] !== FAKE_S3.bucket) return fail(404, 'NoSuchBucket')
  const fault = store.fault(request.method ?? '', url)
  if (fault === 'error') return fail(500, 'InternalError')
  if (fault === 'refused') return fail(403, 'AccessDenied')
  if (fault === 'drop') return void response.destroy()
  if (fault === 'error-with-200') return fail(200, 'InternalError')
  const { status, text = '', headers = {} } = act(store, { request, url, body })
  response.writeHead(status, { 'content-length': Buffer.byteLength(text), ...headers })
  if (fault !== 'cut') return void response.end(text)
  response.write(text.slice(0, text.length / 2), () => response.destroy())
}

interface Done {
  readonly status: number
  readonly text?: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
}

type Acted = Pick<Asked, 'request' | 'body'> & { readonly url: URL }

function act(store: FakeS3, { request, url, body }: Acted): Done {
  const path = decodeURIComponent(url.pathname)
  const upload = url.searchParams.get('uploadId')
  const keepHash = (): void => {
    const hash = request.headers['x-amz-meta-sha256']
    if (typeof hash === 'string') store.hashes.set(path, hash)
  }
  if (upload !== null) return actOnUpload(store, { id: upload, method: request.method ?? '', url, body })
  switch (request.method ?? 'GET') {
    case 'PUT':
      if (!meetsCondition(request, store.objects.get(path))) return PRECONDITION_FAILED
      store.objects.set(path, body)
      keepHash()
      return { status: 200 }
    case 'DELETE':
      store.objects.delete(path)
      return { status: 204 }
    case 'POST': {
      const id = `upload ${store.uploads.size + 1} + /`
      store.uploads.set(id, new Map())
      keepHash()
      return {
        status: 200,
        text: `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      }
    }
    default:
      return url.searchParams.has('list-type') ? list(store, url) : read(store, path)
  }
}

interface UploadStep {
  readonly id: string
  readonly method: string
  readonly url: URL
  readonly body: Buffer
}

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html */
function actOnUpload({ uploads, objects }: FakeS3, { id, method, url, body }: UploadStep): Done {
  const parts = uploads.get(id)
  if (!parts) return { status: 404, text: '<Error><Code>NoSuchUpload</Code></Error>' }
  if (method === 'PUT') {
    parts.set(Number(url.searchParams.get('partNumber')), body)
    return { status: 200, headers: { etag: `"${sha256(body).slice(0, 32)}"` } }
  }
  uploads.delete(id)
  if (method === 'DELETE') return { status: 204 }
  const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>"(\w+)"<\/ETag>/g)]
  const wanted = named.map(([, number, tag]) => ({ part: parts.get(Number(number)) ?? Buffer.alloc(0), tag }))
  const areRight =
    wanted.length === parts.size && wanted.every(({ part, tag }) => sha256(part).startsWith(tag ?? '-'))
  if (!areRight) return { status: 400, text: '<Error><Code>InvalidPart</Code></Error>' }
  objects.set(decodeURIComponent(url.pathname), Buffer.concat(wanted.map(({ part }) => part)))
  return { status: 200, text: '<CompleteMultipartUploadResult/>' }
}

const PRECONDITION_FAILED: Done = { status: 412, text: '<Error><Code>PreconditionFailed</Code></Error>' }

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html */
function meetsCondition({ headers }: IncomingMessage, current: Buffer | undefined): boolean {
  if (headers['if-none-match'] === '*') return current === undefined
  const expected = headers['if-match']
  return expected === undefined || (current !== undefined && readEtag(current) === expected)
}

function readEtag(content: Buffer): string {
  return `"${sha256(content).slice(0, 32)}"`
}

function read({ objects, hashes }: FakeS3, path: string): Done {
  const text = objects.get(path)
  const hash = hashes.get(path)
  if (!text) return { status: 404, text: '<Error><Code>NoSuchKey</Code></Error>' }
  const headers = { etag: readEtag(text), ...(hash !== undefined && { 'x-amz-meta-sha256': hash }) }
  return { status: 200, text, headers }
}

function list({ objects }: FakeS3, url: URL): Done {
  const start = `/${FAKE_S3.bucket}/${url.searchParams.get('prefix') ?? ''}`
  const keys = [...objects.keys()].filter((each) => each.startsWith(start)).toSorted()
  const contents = keys.map(
    (each) => `<Contents><Key>${each.slice(FAKE_S3.bucket.length + 2)}</Key></Contents>`,
  )
  return { status: 200, text: `<ListBucketResult>${contents.join('')}</ListBucketResult>` }
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
function authorization(request: IncomingMessage, url: URL): string {
  const [, names = ''] = /SignedHeaders=([^,]+)/.exec(request.headers.authorization ?? '') ?? []
  const time = String(request.headers['x-amz-date'])
  const scope = `${time.slice(0, 8)}/${FAKE_S3.region}/s3/aws4_request`
  const headers = names.split(';').map((name) => `${name}:${String(request.headers[name])}\n`)
  const query = [...url.searchParams].map((pair) => pair.map(encodeURIComponent).join('=')).toSorted()
  const canonical = [
    request.method,
    url.pathname,
    query.join('&'),
    headers.join(''),
    names,
    request.headers['x-amz-content-sha256'],
  ]
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(Buffer.from(canonical.join('\n')))].join('\n')
  let key = Buffer.from(`AWS4${FAKE_S3.secret}`)
  for (const part of scope.split('/')) key = createHmac('sha256', key).update(part).digest()
  const signature = createHmac('sha256', key).update(toSign).digest('hex')
  const credential = `${FAKE_S3.accessKey}/${scope}`
  return `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
