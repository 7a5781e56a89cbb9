import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { Agent, type Dispatcher, request } from 'undici'

export interface Collector {
  /** Sends one request. Resolves with the reason if the collector did not accept it; never rejects. */
  send(body: Uint8Array, contentType: string): Promise<string | undefined>
  /** Gives up the request under way. */
  close(): Promise<void>
}

export interface CollectorOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly isCompressed: boolean
  /** For all tries of a request together. */
  readonly timeoutMs: number
  /** Texts in PEM form. */
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string }
  readonly userAgent: string
}

/** Answers after which the protocol allows another try. */
const RETRYABLE = new Set([429, 502, 503, 504])
const TRIES_MAX = 5
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 5_000
const PAUSE_GROWTH = 1.5

const compress = promisify(gzip)

/** A collector of OTLP over HTTP. */
export function openCollector(options: CollectorOptions): Collector {
  const { timeoutMs, tls } = options
  // One connection, because one request follows the other.
  const agent = new Agent({ connections: 1, connect: tls })
  const closing = new AbortController()
  return {
    send: async (body, contentType) => {
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)])
      try {
        return await tryAll(await requestOf(options, body, contentType), agent, signal)
      } catch (error) {
        return reasonOf(error)
      }
    },
    close: async () => {
      closing.abort(new Error('the gateway stopped'))
      await agent.destroy()
    },
  }
}

async function requestOf(
  { url, headers, isCompressed, userAgent }: CollectorOptions,
  body: Uint8Array,
  contentType: string,
): Promise<Request> {
  return {
    url,
    body: isCompressed ? await compress(body) : body,
    headers: {
      'user-agent': userAgent,
      ...headers,
      'content-type': contentType,
      ...(isCompressed && { 'content-encoding': 'gzip' }),
    },
  }
}

interface Request {
  readonly url: string
  readonly body: Uint8Array
  readonly headers: Readonly<Record<string, string>>
}

interface Refusal {
  readonly reason: string
  /** The pause that the collector wants before another try, in milliseconds. */
  readonly pauseMs?: number | undefined
  readonly isFinal: boolean
}

async function tryAll(sent: Request, agent: Dispatcher, signal: AbortSignal): Promise<string | undefined> {
  let pauseMs = FIRST_PAUSE_MS
  for (let tries = 1; ; tries++) {
    const refusal = await tryOnce(sent, agent, signal)
    if (refusal === undefined) return undefined
    if (refusal.isFinal || tries === TRIES_MAX || signal.aborted) return refusal.reason
    const isOver = await sleep(refusal.pauseMs ?? pauseMs, false, { signal }).catch(() => true)
    if (isOver) return refusal.reason
    pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * PAUSE_GROWTH)
  }
}

async function tryOnce(
  { url, body, headers }: Request,
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<Refusal | undefined> {
  try {
    const response = await request(url, { method: 'POST', body, headers, dispatcher, signal })
    await response.body.dump()
    const { statusCode: status } = response
    if (status >= 200 && status < 300) return undefined
    const seconds = Number(response.headers['retry-after'])
    return {
      reason: `status ${status}`,
      pauseMs: Number.isFinite(seconds) ? seconds * 1000 : undefined,
      isFinal: !RETRYABLE.has(status),
    }
  } catch (error) {
    return { reason: reasonOf(error), isFinal: false }
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
