import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { CallRecord, FaultMix, OpenEntry, OpenedCall } from './call-records.ts'
import { FaultPicker } from './fault-picker.ts'
import { answerCall } from './fake-call.ts'
import { modelsAnswer } from './open-ai-answers.ts'

/** A scripted upstream in the OpenAI dialect. It keeps its own record of what it delivered and would bill. */
export interface FakeUpstream {
  /** `http://127.0.0.1:port` */
  readonly url: string
  /** One entry per call, in the order of arrival. */
  readonly book: readonly CallRecord[]
  close(): Promise<void>
}

export interface FakeUpstreamOptions {
  /** Whether entries keep the headers and body of each request. Default: no. */
  readonly keepsRequests?: boolean
  readonly faults?: FaultMix
}

/** Starts the upstream on a free loopback port. */
export async function startFakeUpstream(options: FakeUpstreamOptions = {}): Promise<FakeUpstream> {
  const book: OpenEntry[] = []
  const draw = new FaultPicker(options.faults)
  const server = createServer((request, response) => {
    if (request.method === 'GET') return answerModels(request, response)
    collect(request, (body) => {
      const entry = openEntry({
        request,
        body,
        number: book.length,
        draw,
        keeps: options.keepsRequests === true,
      })
      book.push(entry.entry)
      answerCall(response, entry)
    })
  })
  server.keepAliveTimeout = 600_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    book,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

interface OpenInput {
  readonly request: IncomingMessage
  readonly body: string
  readonly number: number
  readonly draw: FaultPicker
  readonly keeps: boolean
}

const TOKENS_DEFAULT = 8

function openEntry({ request, body: text, number, draw, keeps }: OpenInput): OpenedCall {
  const url = request.url ?? ''
  const body = objectOf(parse(text))
  const metadata = objectOf(body['metadata'])
  const model = textOf(body['model']) ?? ''
  const fault = draw.next({ model, named: textOf(metadata['fault']) })
  const limit =
    numberOf(body['max_completion_tokens']) ?? numberOf(body['max_tokens']) ?? Number.POSITIVE_INFINITY
  const wanted = numberOf(metadata['tokens']) ?? TOKENS_DEFAULT
  return {
    body,
    tokens: Math.min(wanted, limit),
    choices: numberOf(body['n']) ?? 1,
    finish: wanted > limit ? 'length' : 'stop',
    delayMs: numberOf(metadata['delay_ms']) ?? 0,
    entry: {
      tag: textOf(body['user']) ?? String(number),
      operation: url.replace(/\?.*$/, '').split('/').slice(2).join('/'),
      model,
      isStream: body['stream'] === true,
      fault,
      status: 0,
      promptTokens: promptTokensOf(body),
      deliveredTokens: 0,
      framesSent: 0,
      isComplete: false,
      isCutByPeer: false,
      ...(keeps && { request: { url, headers: request.headers, body: text } }),
    },
  }
}

function answerModels(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(modelsAnswer(request.url?.startsWith('/v1/models') ? MODELS : [])))
}

const MODELS = ['gpt-4o', 'gpt-4o-mini', 'text-embedding-3-small']

function collect(request: IncomingMessage, done: (body: string) => void): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => done(Buffer.concat(chunks).toString()))
  request.on('error', () => undefined)
}

/** A deterministic stand-in for a tokenizer: four characters of the prompt are one token. */
function promptTokensOf(body: Readonly<Record<string, unknown>>): number {
  const asked = body['messages'] ?? body['prompt'] ?? body['input'] ?? ''
  return 3 + Math.ceil(JSON.stringify(asked).length / 4)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}
