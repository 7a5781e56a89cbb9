import type { IncomingMessage } from 'node:http'
import type { RequestController } from '@tollgate/egress/request-controller'
import type { Dispatcher } from 'undici'
import { continuedFrame, createFrame, type Continued } from './create-frame.ts'
import { type HttpOnly, isWithoutSockets } from './http-only.ts'
import type { SocketTarget, SocketUser, UpstreamSocket } from './upstream-socket.ts'
import type { UpstreamSockets } from './upstream-sockets.ts'
import {
  asEvent,
  CONNECTION_LIMIT,
  errorEvent,
  type FrameError,
  PREVIOUS_NOT_FOUND,
  readVendorFrame,
} from './vendor-frame.ts'

export interface SocketExchangeInput {
  readonly sockets: UpstreamSockets
  readonly httpOnly: HttpOnly
  readonly target: SocketTarget
  readonly lane: string | undefined
  readonly continued: Continued | undefined
  readonly body: Buffer
  readonly handler: Dispatcher.DispatchHandler
  /** Makes the same request over HTTP. */
  readonly overHttp: () => void
}

const EVENT_STREAM = { 'content-type': 'text/event-stream' }
const JSON_BODY = { 'content-type': 'application/json' }

/**
 * One request and its response over a vendor's WebSocket, as an HTTP client reports them: events of the response
 * as server-sent events, and an error before the first one as a response with its status, so that another channel
 * can be tried.
 */
export class SocketExchange implements SocketUser, RequestController {
  readonly #input: SocketExchangeInput
  #socket: UpstreamSocket | undefined
  /** The response of a refused handshake. */
  #refusal: IncomingMessage | undefined
  #hasBegun = false
  #isContinued = false
  #isRepeated = false
  #isOver = false
  reason: Error | null = null
  paused = false

  constructor(input: SocketExchangeInput) {
    this.#input = input
  }

  get aborted(): boolean {
    return this.reason !== null
  }

  get isRequestSent(): boolean {
    return this.#hasBegun || this.#socket?.isFlushed === true
  }

  start(): void {
    const { sockets, target, lane, continued, handler } = this.#input
    handler.onRequestStart?.(this, {})
    if (this.#isOver) return
    this.#send(sockets.find({ target, lane, previousId: continued?.previousId }))
  }

  abort(reason: Error): void {
    this.reason ??= reason
    if (this.#isOver) return
    this.#socket?.terminate()
    this.#refusal?.destroy()
    this.#fail(reason)
  }

  pause(): void {
    this.paused = true
    ;(this.#refusal ?? this.#socket)?.pause()
  }

  resume(): void {
    this.paused = false
    ;(this.#refusal ?? this.#socket)?.resume()
  }

  received(message: Buffer | undefined): void {
    const frame = message && readVendorFrame(message)
    if (message === undefined || frame === undefined) {
      this.#socket?.terminate()
      return this.#fail(new FrameInvalid())
    }
    if (frame.type === 'error') return this.#receivedError(frame.error)
    if (frame.type === 'other') return
    this.#begin(200, EVENT_STREAM)
    this.#pass(asEvent(message))
    if (frame.type === 'last') this.#end(frame.id)
  }

  refused(response: IncomingMessage): void {
    const { httpOnly, target, handler, overHttp } = this.#input
    const { statusCode: status = 502, headers } = response
    this.#socket = undefined
    if (isWithoutSockets(status)) {
      response.destroy()
      httpOnly.note(target)
      this.#isOver = true
      return overHttp()
    }
    this.#refusal = response
    handler.onResponseStart?.(this, status, headers)
    response.on('data', (chunk: Buffer) => this.#pass(chunk))
    response.on('end', () => this.#finish())
    response.on('error', (error) => this.#fail(error))
    response.on('close', () => this.#finish())
  }

  broke(error: Error): void {
    const mayBeStale = this.#socket?.hasServed === true
    this.#socket = undefined
    if (mayBeStale && this.#mayRepeat) return this.#repeat()
    this.#fail(error)
  }

  /** A request is sent twice at most, and only while nothing of a response has arrived. */
  get #mayRepeat(): boolean {
    return !this.#hasBegun && !this.#isRepeated && !this.#isOver
  }

  #receivedError(error: FrameError): void {
    const { sockets } = this.#input
    const socket = this.#socket
    const isLimit = error.code === CONNECTION_LIMIT
    const isUnknown = error.code === PREVIOUS_NOT_FOUND && this.#isContinued
    if (isLimit) socket?.terminate()
    else if (socket !== undefined) sockets.ended(socket, undefined)
    this.#socket = undefined
    if (this.#mayRepeat && ((isLimit && socket?.hasServed === true) || isUnknown)) return this.#repeat()
    if (this.#hasBegun) this.#pass(errorEvent(error))
    else {
      this.#begin(error.status, { ...error.headers, ...JSON_BODY })
      this.#pass(Buffer.from(JSON.stringify({ error: error.details })))
    }
    this.#finish()
  }

  /** Sends the whole conversation on a new socket. */
  #repeat(): void {
    const { sockets, target, lane } = this.#input
    this.#isRepeated = true
    try {
      this.#send(sockets.open({ target, lane, previousId: undefined }))
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)))
    }
  }

  #send(socket: UpstreamSocket | undefined): void {
    const { continued, body, overHttp } = this.#input
    if (socket === undefined) {
      this.#isOver = true
      return overHttp()
    }
    const isKnown = continued !== undefined && socket.lastResponseId === continued.previousId
    const short = isKnown ? continuedFrame(body, continued) : undefined
    this.#isContinued = short !== undefined
    this.#socket = socket
    socket.begin(this, short ?? createFrame(body))
  }

  #begin(status: number, headers: Readonly<Record<string, string>>): void {
    if (this.#hasBegun || this.#isOver) return
    this.#hasBegun = true
    this.#input.handler.onResponseStart?.(this, status, { ...headers })
  }

  #pass(bytes: Buffer): void {
    if (!this.#isOver) this.#input.handler.onResponseData?.(this, bytes)
  }

  /** The socket is free before the caller has the last event, because the next call may follow at once. */
  #end(responseId: string | undefined): void {
    if (this.#socket !== undefined) this.#input.sockets.ended(this.#socket, responseId)
    this.#socket = undefined
    this.#finish()
  }

  #finish(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#input.handler.onResponseEnd?.(this, {})
  }

  #fail(error: Error): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#input.handler.onResponseError?.(this, error)
  }
}

/** A vendor sent something other than a JSON object in a text frame. */
class FrameInvalid extends Error {
  override readonly name = 'FrameInvalid'
  readonly code = 'FRAME_INVALID'

  constructor() {
    super('the vendor sent an invalid frame')
  }
}
