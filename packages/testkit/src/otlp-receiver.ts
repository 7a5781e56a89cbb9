import { createServer } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { decodeTraces } from './otlp-protobuf.ts'

/** A collector that accepts traces by OTLP over HTTP in both forms, and checks them against the protocol. */
export interface OtlpReceiver {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string
  readonly spans: readonly ReceivedSpan[]
  /** Attributes of the resource of the last request. */
  readonly resource: Readonly<Record<string, unknown>>
  /** What was wrong with requests; empty if all were valid. */
  readonly complaints: readonly string[]
  readonly headers: readonly NodeJS.Dict<string | string[]>[]
  close(): Promise<void>
}

export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly name: string
  /** 1 internal, 2 server, 3 client. */
  readonly kind: number
  readonly startNs: bigint
  readonly endNs: bigint
  /** 0 unset, 1 ok, 2 error. */
  readonly status: number
  readonly attributes: Readonly<Record<string, unknown>>
}

// https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/trace/v1/trace.proto
const int64 = z.union([z.int(), z.string().regex(/^-?\d+$/)])
const value = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ boolValue: z.boolean() }),
  z.strictObject({ intValue: int64 }),
  z.strictObject({ doubleValue: z.number() }),
  z.strictObject({ arrayValue: z.object({ values: z.array(z.unknown()) }) }),
])
const attributes = z.array(z.strictObject({ key: z.string().min(1), value }))
const hex = (length: number) =>
  z
    .string()
    .regex(new RegExp(`^[0-9a-f]{${length}}$`))
    .refine((text) => /[^0]/.test(text))
const nanoseconds = z.string().regex(/^\d{1,20}$/)
const spanSchema = z
  .object({
    traceId: hex(32),
    spanId: hex(16),
    parentSpanId: hex(16).optional(),
    name: z.string().min(1),
    kind: z.int().min(1).max(5),
    startTimeUnixNano: nanoseconds,
    endTimeUnixNano: nanoseconds,
    attributes: attributes.refine(
      (list) => new Set(list.map(({ key }) => key)).size === list.length,
      'has an attribute twice',
    ),
    status: z.object({ code: z.int().min(0).max(2) }),
  })
  .refine(
    ({ startTimeUnixNano: start, endTimeUnixNano: end }) => BigInt(end) >= BigInt(start),
    'ends before it starts',
  )
const requestSchema = z.object({
  resourceSpans: z
    .array(
      z.object({
        resource: z.object({ attributes }),
        scopeSpans: z.array(
          z.object({ scope: z.object({ name: z.string() }), spans: z.array(spanSchema).min(1) }),
        ),
      }),
    )
    .min(1),
})

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = []
  const complaints: string[] = []
  const headers: NodeJS.Dict<string | string[]>[] = []
  let resource: Readonly<Record<string, unknown>> = {}
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      headers.push(request.headers)
      if (request.method !== 'POST' || request.url !== '/v1/traces')
        complaints.push(`${request.method ?? ''} ${request.url ?? ''}`)
      const sent = Buffer.concat(pieces)
      const bytes = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent
      const parsed = requestSchema.safeParse(requestOf(request.headers['content-type'], bytes))
      if (!parsed.success) complaints.push(z.prettifyError(parsed.error))
      for (const part of parsed.data?.resourceSpans ?? []) {
        resource = plain(part.resource.attributes)
        for (const { spans: sent } of part.scopeSpans) spans.push(...sent.map(asReceived))
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    complaints,
    headers,
    get resource() {
      return resource
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Returns the reason in place of a request that cannot be read. */
function requestOf(contentType: string | undefined, bytes: Buffer): unknown {
  try {
    if (contentType === 'application/json') return JSON.parse(bytes.toString())
    return contentType === 'application/x-protobuf' ? decodeTraces(bytes) : contentType
  } catch (error) {
    return String(error)
  }
}

function asReceived(span: z.output<typeof spanSchema>): ReceivedSpan {
  const { traceId, spanId, parentSpanId, name, kind } = span
  return {
    traceId,
    spanId,
    parentSpanId,
    name,
    kind,
    startNs: BigInt(span.startTimeUnixNano),
    endNs: BigInt(span.endTimeUnixNano),
    status: span.status.code,
    attributes: plain(span.attributes),
  }
}

function plain(list: z.output<typeof attributes>): Record<string, unknown> {
  return Object.fromEntries(list.map(({ key, value: one }) => [key, plainValue(one)]))
}

/** Both forms may write an integer as text. */
function plainValue(one: z.output<typeof value>): unknown {
  return 'intValue' in one ? Number(one.intValue) : Object.values(one)[0]
}
