import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import { invariant } from '@tollgate/kit/invariant'

/** An upstream whose responses are set by the test, call by call. */
export interface ScriptedUpstream {
  readonly url: string
  /** Every request, in the order of arrival. */
  readonly received: readonly ReceivedRequest[]
  /** For tests whose upstream also accepts upgrades. */
  readonly server: Server
  /** How requests are answered from now on. */
  respond: Responder
  readonly close: () => Promise<void>
}

export interface ReceivedRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly bytes: Buffer
  /** Empty when the body is not a JSON object. */
  readonly body: Readonly<Record<string, unknown>>
}

export type Responder = (response: ServerResponse, request: ReceivedRequest) => void | Promise<void>

export async function openScriptedUpstream(respond: Responder = answerWith()): Promise<ScriptedUpstream> {
  const received: ReceivedRequest[] = []
  const upstream = { respond }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('error', () => response.destroy())
    request.on('end', () => {
      const bytes = Buffer.concat(chunks)
      const text = bytes.toString()
      const { url = '', headers } = request
      const isJson = headers['content-type'] === 'application/json'
      const entry = { path: url, headers, text, bytes, body: isJson ? parsed(text) : {} }
      received.push(entry)
      void upstream.respond(response, entry)
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  invariant(typeof address === 'object' && address, 'the upstream listens on a port')
  return Object.assign(upstream, {
    url: `http://127.0.0.1:${address.port}`,
    received,
    server,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  })
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = text === '' ? {} : JSON.parse(text)
  invariant(typeof value === 'object' && value !== null, 'the gateway sends JSON objects')
  return { ...value }
}

export interface UsageFigures {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly [other: string]: unknown
}

export const USAGE: UsageFigures = { prompt_tokens: 10, completion_tokens: 5 }

/** Responds with a complete chat completion. */
export function answerWith(parts: { content?: string; usage?: UsageFigures | null } = {}): Responder {
  return (response) => {
    const { content = 'hello there', usage = USAGE } = parts
    sendJson(response, 200, {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      ...(usage && { usage }),
    })
  }
}

export function failWith(status: number, error: Record<string, unknown> = { message: 'no' }): Responder {
  return (response) => sendJson(response, status, { error })
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}

/** Writes the events of a streamed chat, one by one. */
export class ChatStream {
  readonly #response: ServerResponse

  constructor(response: ServerResponse) {
    this.#response = response
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
  }

  say(content: string): this {
    return this.frame({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })
  }

  finish(reason = 'stop'): this {
    return this.frame({ choices: [{ index: 0, delta: {}, finish_reason: reason }] })
  }

  usage(usage: Record<string, unknown> = USAGE): this {
    return this.frame({ choices: [], usage })
  }

  frame(chunk: Record<string, unknown>): this {
    const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm' }
    return this.raw(`data: ${JSON.stringify({ ...head, ...chunk })}\n\n`)
  }

  raw(text: string): this {
    this.#response.write(text)
    return this
  }

  done(): void {
    this.#response.end('data: [DONE]\n\n')
  }

  /** Closes the connection in mid-stream, as a crashed upstream does. */
  break(): void {
    this.#response.destroy()
  }
}

/** Streams `words` completely, with usage. */
export function streamWith(
  words: readonly string[] = ['hello', ' there'],
  usage: UsageFigures | null = USAGE,
): Responder {
  return (response) => {
    const stream = new ChatStream(response)
    for (const word of words) stream.say(word)
    stream.finish()
    if (usage) stream.usage(usage)
    stream.done()
  }
}
