import { request as httpRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http'

export interface SendInput {
  readonly method?: string
  readonly path?: string
  readonly bearer?: string
  readonly headers?: OutgoingHttpHeaders
  /** Sent as JSON; a Buffer or a string is sent as it is. */
  readonly body?: unknown
  /** Disconnects when the response so far satisfies this predicate. */
  readonly leaveWhen?: (text: string) => boolean
  /** Disconnects this long after sending, whatever has come back. */
  readonly leaveAfterMs?: number
  /** Disconnects once this resolves. */
  readonly leaveOnce?: Promise<void>
  /** Called with the response so far, each time more of it arrives. */
  readonly onText?: (text: string) => void
}

export interface RelayAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The parsed body; empty for streams. */
  readonly json: Readonly<Record<string, unknown>>
  /** The parsed body's error object. */
  readonly error: Readonly<Record<string, unknown>>
  readonly isCutOff: boolean
}

/** Sends one request on a connection of its own. Also resolves when either side disconnects. */
export function send(port: number, input: SendInput): Promise<RelayAnswer> {
  const { method = 'POST', path = '/v1/chat/completions', bearer, headers = {}, body } = input
  return new Promise((resolve) => {
    const request = httpRequest({
      host: '127.0.0.1',
      port,
      method,
      path,
      agent: false,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
        ...headers,
      },
    })
    let text = ''
    let status = 0
    let received: IncomingHttpHeaders = {}
    const finish = (isCutOff: boolean) =>
      resolve({ status, headers: received, text, ...parsed(text), isCutOff })
    request.on('error', () => finish(true))
    request.on('response', (response) => {
      status = response.statusCode ?? 0
      received = response.headers
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
        input.onText?.(text)
        if (input.leaveWhen?.(text)) request.destroy()
      })
      response.on('end', () => finish(false))
      response.on('error', () => finish(true))
    })
    if (input.leaveAfterMs !== undefined) setTimeout(() => request.destroy(), input.leaveAfterMs)
    void input.leaveOnce?.then(() => request.destroy())
    request.end(bytesOf(body))
  })
}

function bytesOf(body: unknown): string | Buffer {
  if (body === undefined) return ''
  return typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
}

function parsed(text: string): Pick<RelayAnswer, 'json' | 'error'> {
  try {
    const json = objectOf(JSON.parse(text))
    return { json, error: objectOf(json['error']) }
  } catch {
    // The body is a stream, or empty.
    return { json: {}, error: {} }
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** The data of a stream's events, `[DONE]` included. */
export function framesOf(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => line.slice('data: '.length))
}

/** Polls, because the condition has no event to wait for. */
export async function waitFor(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 2))
}

/** `seen` resolves once the word has reached the caller. */
export function listenFor(word: string): { onText: (text: string) => void; seen: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { seen: promise, onText: (text) => void (text.includes(word) && resolve()) }
}

export const CHAT = { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] } as const
