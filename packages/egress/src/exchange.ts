import { Problem, problem } from '@tollgate/problems/problem'
import { pipeline } from 'node:stream'
import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { createDecoders, isKnownCoding, parseCodings } from './content-codings.ts'
import type { ExchangeAnswer, ExchangeRequest } from './egress.ts'
import { checkedHeaders } from './headers.ts'

const TIMEOUT_MS = 30_000
const CODINGS_MAX = 2
const BYTES_MAX = 4 * 1024 * 1024

/**
 * Performs one request and reads its whole response, bounded in time and size. Redirects are not followed but
 * returned like any other response.
 */
export async function performExchange(
  dispatcherOf: (origin: string, proxy?: string) => Dispatcher,
  request: ExchangeRequest,
): Promise<ExchangeAnswer> {
  const url = URL.parse(request.url)
  if (!url) throw problem('destination_invalid')
  const dispatcher = dispatcherOf(url.origin, request.proxy)
  const headers = { 'accept-encoding': 'identity', ...checkedHeaders(request.headers ?? {}) }
  const timeout = AbortSignal.timeout(request.timeoutMs ?? TIMEOUT_MS)
  const signal = request.signal ? AbortSignal.any([timeout, request.signal]) : timeout
  try {
    const answer = await dispatcher.request({
      // The origin is set per request because one proxy dispatcher serves many origins.
      origin: url.origin,
      method: request.method,
      path: url.pathname + url.search,
      headers,
      body: typeof request.body === 'string' ? Buffer.from(request.body) : (request.body ?? null),
      signal,
      // The signal limits the whole exchange.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    const answerHeaders = flat(answer.headers)
    const plain = decodeBody(answer.body, answerHeaders['content-encoding'])
    const body = await readBody(plain, request.bytesMax ?? BYTES_MAX)
    return { status: answer.statusCode, headers: answerHeaders, body }
  } catch (error) {
    if (error instanceof Problem || request.signal?.aborted) throw error
    throw problem(timeout.aborted ? 'first_byte_timeout' : 'do_request_failed', {}, { cause: error })
  }
}

/** Some servers code their answers although `identity` was requested. An unknown coding is left as it is. */
function decodeBody(body: Readable, header: string | undefined): AsyncIterable<Buffer> {
  const codings = parseCodings(header)
  if (codings.length === 0 || codings.length > CODINGS_MAX || !codings.every(isKnownCoding)) return body
  const decoders = createDecoders(codings)
  pipeline([body, ...decoders], () => {})
  return decoders.at(-1) ?? body
}

async function readBody(body: AsyncIterable<Buffer>, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    // Leaving the loop destroys the stream, and with it the connection.
    if (bytes > bytesMax) throw problem('answer_too_large', { limit: bytesMax })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function flat(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const pairs = Object.entries(headers).map(([name, value]) => [name, String(value ?? '')] as const)
  return Object.fromEntries(pairs)
}
