import { createHash, createHmac } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An object store that speaks as much of S3 as backups need, and checks each signature by its own arithmetic. */
export interface FakeS3 {
  /** `http://127.0.0.1:port` */
  readonly url: string
  /** Content by path, for example `/bucket/folder/name`. */
  readonly objects: Map<string, Buffer>
  close(): Promise<void>
}

export const FAKE_S3 = {
  bucket: 'bucket',
  region: 'eu-test-1',
  accessKey: 'AKIDTEST',
  secret: 'a secret / with +',
}

export async function startFakeS3(): Promise<FakeS3> {
  const objects = new Map<string, Buffer>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => answer(objects, { request, response, body: Buffer.concat(chunks) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    objects,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

interface Asked {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: Buffer
}

function answer(objects: Map<string, Buffer>, { request, response, body }: Asked): void {
  const url = new URL(request.url ?? '', 'http://store')
  const path = decodeURIComponent(url.pathname)
  const fail = (status: number, code: string): void =>
    void response.writeHead(status).end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`)
  if (sha256(body) !== request.headers['x-amz-content-sha256']) return fail(400, 'XAmzContentSHA256Mismatch')
  if (request.headers.authorization !== authorization(request, url)) return fail(403, 'SignatureDoesNotMatch')
  if (url.pathname.split('/')[1] !== FAKE_S3.bucket) return fail(404, 'NoSuchBucket')
  if (request.method === 'PUT') objects.set(path, body)
  if (request.method === 'DELETE') objects.delete(path)
  if (request.method !== 'GET') return void response.writeHead(request.method === 'PUT' ? 200 : 204).end()
  const start = `/${FAKE_S3.bucket}/${url.searchParams.get('prefix') ?? ''}`
  const keys = [...objects.keys()].filter((each) => each.startsWith(start)).toSorted()
  const contents = keys.map(
    (each) => `<Contents><Key>${each.slice(FAKE_S3.bucket.length + 2)}</Key></Contents>`,
  )
  response.end(`<ListBucketResult>${contents.join('')}</ListBucketResult>`)
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
