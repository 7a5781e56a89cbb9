import type { Dispatcher } from 'undici'
import type { RequestController } from '../request-controller.ts'
import { ResponseReader, type ResponseListener } from './response-reader.ts'
import type { ResponseHead } from './response-head.ts'

/** What the exchange needs of its connection. */
export interface ExchangeConnection {
  pause(): void
  resume(): void
  /** Closes the connection; the exchange fails with this error. */
  close(error: Error): void
  /** The response is over. */
  finish(reader: ResponseReader): void
  /** All that was sent has been passed to the system. */
  readonly isFlushed: boolean
}

/**
 * A request on a connection with its response. The sender's handler controls it until the response is over; after that
 * the connection may belong to another one.
 */
export class ConnectionExchange implements RequestController, ResponseListener {
  readonly #handler: Dispatcher.DispatchHandler
  readonly #connection: ExchangeConnection
  readonly reader: ResponseReader
  /** From then on an abort closes the connection. */
  isSent = false
  reason: Error | null = null
  paused = false

  constructor(handler: Dispatcher.DispatchHandler, connection: ExchangeConnection, headBytesMax: number) {
    this.#handler = handler
    this.#connection = connection
    this.reader = new ResponseReader(this, headBytesMax)
  }

  get aborted(): boolean {
    return this.reason !== null
  }

  get isRequestSent(): boolean {
    return this.reader.isOver || (this.isSent && this.#connection.isFlushed)
  }

  start(): void {
    this.#handler.onRequestStart?.(this, {})
  }

  fail(error: Error): void {
    this.#handler.onResponseError?.(this, error)
  }

  abort(reason: Error): void {
    if (this.reader.isOver) return
    this.reason ??= reason
    if (this.isSent) this.#connection.close(reason)
  }

  pause(): void {
    if (this.paused || this.reader.isOver) return
    this.paused = true
    this.reader.pause()
    this.#connection.pause()
  }

  resume(): void {
    if (!this.paused) return
    this.paused = false
    try {
      this.reader.resume()
    } catch (error) {
      return this.#connection.close(error instanceof Error ? error : new Error(String(error)))
    }
    // What was waiting may have made the handler pause again.
    if (!this.#isPaused()) this.#connection.resume()
  }

  head({ status, headers, statusText }: ResponseHead): void {
    this.#handler.onResponseStart?.(this, status, headers, statusText)
  }

  data(bytes: Buffer): void {
    this.#handler.onResponseData?.(this, bytes)
  }

  end(): void {
    this.#handler.onResponseEnd?.(this, {})
    this.#connection.finish(this.reader)
  }

  #isPaused(): boolean {
    return this.paused
  }
}
