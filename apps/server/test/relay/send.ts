import { request as httpRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http'

export interface SendInput {
  readonly method?: string
  readonly path?: string
  readonly bearer?: string
  readonly headers?: OutgoingHttpHeaders
  /** Sent as JSON; a Buffer or a text is sent as it is. */
  readonly body?: unknown
  /** Hangs up when the answer so far satisfies this. */
  readonly leaveWhen?: (text: string) => boolean
  /** Hangs up this long after sending, whatever has come back. */
  readonly leaveAfterMs?: number
  /** Hangs up once this is fulfilled. */
  readonly leaveOnce?: Promise<void>
  /** Told the answer so far, each time more of it comes. */
  readonly onText?: (text: string) => void
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The parsed body; empty for streams. */
  readonly json: Readonly<Record<string, unknown>>
  /** The parsed body's error object. */
  readonly error: Readonly<Record<string, unknown>>
  readonly isCutOff: boolean
}

/** One request on a connection of its own. Resolves also when either side hangs up. */
export function send(port: number, input: SendInput): Promise<Answer> {
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

function parsed(text: string): Pick<Answer, 'json' | 'error'> {
  try {
    const json = objectOf(JSON.parse(text))
    return { json, error: objectOf(json['error']) }
  } catch {
    // A stream, or nothing.
    return { json: {}, error: {} }
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** The data of a stream's frames, `[DONE]` included. */
export function framesOf(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => line.slice('data: '.length))
}

/** Polls, since what it waits for tells nobody. */
export async function waitFor(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 2))
}

/** `seen` is fulfilled once the word has reached the caller. */
export function listenFor(word: string): { onText: (text: string) => void; seen: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { seen: promise, onText: (text) => void (text.includes(word) && resolve()) }
}

export const CHAT = { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] } as const
