import type { IncomingMessage } from 'node:http'
import { Dispatcher } from 'undici'
import type { RawData, WebSocket } from 'ws'
import type { SocketRequest } from './open-socket.ts'

const LF = Buffer.from('\n')
const CLOSED_NORMALLY = new Set([1000, 1005])

/**
 * Makes a vendor that is called over a WebSocket look like an HTTP upstream: the request body is sent as one
 * message, and every message received becomes one line of the response body. A refused handshake is returned
 * as the response itself.
 */
export class SocketDispatcher extends Dispatcher {
  readonly #origin: string
  readonly #open: (request: SocketRequest) => WebSocket

  constructor(origin: string, open: (request: SocketRequest) => WebSocket) {
    super()
    this.#origin = origin
    this.#open = open
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const socket = this.#open({ url: `${this.#origin}${options.path}`, headers: headersOf(options.headers) })
    follow(socket, bodyOf(options.body), handler)
    return true
  }
}

/** Sends one message and forwards all received messages. */
function follow(socket: WebSocket, body: Buffer, handler: Dispatcher.DispatchHandler): void {
  const controller = new SocketController(socket, (error) => fail(error))
  let isOver = false
  function fail(error: Error): void {
    if (isOver) return
    isOver = true
    socket.terminate()
    handler.onResponseError?.(controller, error)
  }
  function end(): void {
    if (isOver) return
    isOver = true
    socket.terminate()
    handler.onResponseEnd?.(controller, {})
  }
  socket.on('open', () => {
    if (isOver) return
    socket.send(body, { binary: false })
    handler.onResponseStart?.(controller, 200, {}, 'OK')
  })
  socket.on('message', (data) => {
    if (!isOver) handler.onResponseData?.(controller, lineOf(data))
  })
  socket.on('unexpected-response', (_request, response: IncomingMessage) => {
    controller.source = response
    handler.onResponseStart?.(controller, response.statusCode ?? 0, response.headers)
    response.on('data', (chunk: Buffer) => void (isOver || handler.onResponseData?.(controller, chunk)))
    response.on('end', end)
    response.on('error', fail)
  })
  socket.on('error', fail)
  socket.on('close', (code) => {
    if (CLOSED_NORMALLY.has(code)) end()
    else fail(new SocketClosed(code))
  })
  handler.onRequestStart?.(controller, {})
}

/** Flow control and abort, as undici handlers expect them. */
class SocketController implements Dispatcher.DispatchController {
  /** The source of the response: the socket, or the HTTP response of a refused handshake. */
  source: Pick<WebSocket | IncomingMessage, 'pause' | 'resume'>
  readonly #fail: (error: Error) => void
  reason: Error | null = null
  paused = false

  constructor(socket: WebSocket, fail: (error: Error) => void) {
    this.source = socket
    this.#fail = fail
  }

  get aborted(): boolean {
    return this.reason !== null
  }

  abort(reason: Error): void {
    this.reason ??= reason
    this.#fail(reason)
  }

  pause(): void {
    this.paused = true
    this.source.pause()
  }

  resume(): void {
    this.paused = false
    this.source.resume()
  }
}

class SocketClosed extends Error {
  override readonly name = 'SocketClosed'
  readonly code: string

  constructor(closeCode: number) {
    super('the WebSocket was closed before its end')
    this.code = `CLOSED_${closeCode}`
  }
}

/** Puts a message on one line. Line breaks inside JSON are only white space, so they become spaces. */
function lineOf(data: RawData): Buffer {
  const message = Buffer.concat([...(Array.isArray(data) ? data : [asBuffer(data)]), LF])
  for (let at = message.indexOf(LF); at < message.length - 1; at = message.indexOf(LF, at)) message[at] = 0x20
  return message
}

function asBuffer(data: Exclude<RawData, Buffer[]>): Buffer {
  return Buffer.isBuffer(data) ? data : Buffer.from(data)
}

function bodyOf(body: Dispatcher.DispatchOptions['body']): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : '')
}

/** Drops the headers that describe a body; the others are sent with the handshake. */
function headersOf(headers: Dispatcher.DispatchOptions['headers']): Record<string, string> {
  const pairs = Object.entries(headers ?? {}).filter(([name]) => !SENT_WITH_BODIES.has(name.toLowerCase()))
  return Object.fromEntries(pairs.map(([name, value]) => [name, String(value)]))
}

const SENT_WITH_BODIES = new Set(['content-type', 'content-length', 'accept', 'accept-encoding'])
