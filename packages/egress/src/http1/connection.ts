import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { inStage } from '@tollgate/kit/turn'
import { errors, type Dispatcher } from 'undici'
import { ConnectionExchange, type ExchangeConnection } from './connection-exchange.ts'
import { StaleConnectionError } from '../stale-connection-error.ts'
import type { PlainRequest } from './plain-request.ts'
import type { ResponseReader } from './response-reader.ts'
import { onRead } from './shared-buffer.ts'

export interface ConnectionInput {
  /** Made with `readsIntoSharedBuffer`. */
  readonly socket: Socket
  readonly headBytesMax: number
  /** A close that is seen sooner after the write of a request was sent before the other side could read it. */
  readonly unreadMs: number
  /** Called when a response is over and the connection may take another request, or must be closed. */
  readonly onEnd: (connection: Connection, reader: ResponseReader) => void
  /** `idleMs`: how long it was idle, where the other side closed it for that. */
  readonly onClose: (connection: Connection, idleMs: number | undefined) => void
}

/** A body up to this size is copied behind the head, so that one system call sends both. */
const COPIED_BYTES_MAX = 16 * 1024

/** What arrived is handled at once when it is more than this. */
const QUEUED_BYTES_MAX = 256 * 1024

/** A connection to an upstream, which carries one request at a time. */
export class Connection implements ExchangeConnection {
  readonly #input: ConnectionInput
  #exchange: ConnectionExchange | undefined
  #isClosed = false
  /** What arrived in this turn of the event loop, or while the handler paused. */
  #arrived: Buffer[] = []
  #arrivedBytes = 0
  /** The upstream sends nothing more. */
  #hasEnded = false
  /** Monotonic time since which it has been idle; absent before its first request. */
  #idleSince: number | undefined
  /** Monotonic time of the first write of the request under way. */
  #sentAt = 0
  /** A byte arrived after the request under way was sent. */
  #hasBytes = false

  constructor(input: ConnectionInput) {
    this.#input = input
    const { socket } = input
    socket.unref()
    onRead(socket, (bytes) => this.#keep(bytes))
    socket.on('end', () => this.#endInput())
    socket.on('error', (error) => {
      this.#handle()
      this.#closeByOther(error)
    })
    socket.on('close', () => this.#endInput())
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** All that was sent has been passed to the system. */
  get isFlushed(): boolean {
    return this.#input.socket.writableLength === 0
  }

  /**
   * Sends a request; nothing else may be on the connection. Returns false if its handler aborted it before, which leaves
   * the connection as it was.
   */
  send(request: PlainRequest, handler: Dispatcher.DispatchHandler): boolean {
    const exchange = new ConnectionExchange(handler, this, this.#input.headBytesMax)
    this.#exchange = exchange
    try {
      exchange.start()
      if (exchange.reason !== null) {
        this.#exchange = undefined
        exchange.fail(exchange.reason)
        return false
      }
      exchange.isSent = true
      // Only a connection with a request keeps the process alive.
      this.#input.socket.ref()
      this.#hasBytes = false
      this.#sentAt = performance.now()
      this.#write(request)
    } catch (error) {
      this.#fail(error)
    }
    return true
  }

  pause(): void {
    this.#input.socket.pause()
  }

  resume(): void {
    this.#handle()
    if (this.#exchange?.paused === true) return
    if (this.#hasEnded) this.#endInput()
    else this.#input.socket.resume()
  }

  close(error: Error, idleMs?: number): void {
    if (this.#isClosed) return
    this.#isClosed = true
    const exchange = this.#exchange
    this.#exchange = undefined
    this.#input.socket.destroy()
    this.#input.onClose(this, idleMs)
    exchange?.fail(error)
  }

  finish(reader: ResponseReader): void {
    this.#exchange = undefined
    this.#idleSince = performance.now()
    this.#input.socket.unref()
    if (!this.#isClosed) this.#input.onEnd(this, reader)
  }

  #write({ head, body }: PlainRequest): void {
    const { socket } = this.#input
    if (body === undefined) {
      socket.write(head, 'latin1')
    } else if (body.length <= COPIED_BYTES_MAX) {
      socket.write(head + body.toString('latin1'), 'latin1')
    } else {
      socket.cork()
      socket.write(head, 'latin1')
      socket.write(body)
      socket.uncork()
    }
  }

  /** Other connections read into the same memory before the end of this turn. */
  #keep(bytes: Buffer): void {
    if (this.#arrived.length === 0) inStage('handle', this.#handle)
    this.#hasBytes = true
    this.#arrived.push(Buffer.from(bytes))
    this.#arrivedBytes += bytes.length
    if (this.#arrivedBytes > QUEUED_BYTES_MAX) this.#handle()
  }

  readonly #handle = (): void => {
    for (let bytes = this.#next(); bytes !== undefined; bytes = this.#next()) this.#read(bytes)
  }

  #next(): Buffer | undefined {
    if (this.#isClosed || this.#exchange?.paused === true) return undefined
    const bytes = this.#arrived.shift()
    this.#arrivedBytes -= bytes?.length ?? 0
    return bytes
  }

  #read(bytes: Buffer): void {
    // What an idle connection sends must not become the response to the next request.
    if (this.#exchange === undefined) return this.#closeByOther(new errors.SocketError('unexpected bytes'))
    try {
      this.#exchange.reader.read(bytes)
    } catch (error) {
      this.#fail(error)
    }
  }

  /** A handler that paused gets the end of its response, or the error, when it resumes. */
  #endInput(): void {
    this.#hasEnded = true
    this.#handle()
    if (this.#exchange?.paused === true) return
    try {
      if (this.#exchange?.reader.close() !== true)
        this.#closeByOther(new errors.SocketError('other side closed'))
    } catch (error) {
      this.#fail(error)
    }
  }

  /** A request on a connection that had been idle fails with a `StaleConnectionError` before a byte of a response. */
  #closeByOther(error: Error): void {
    const now = performance.now()
    const idleSince = this.#idleSince
    if (this.#isClosed || idleSince === undefined) return this.close(error)
    if (this.#exchange === undefined) return this.close(error, now - idleSince)
    if (this.#hasBytes) return this.close(error)
    const { unreadMs } = this.#input
    const stale = new StaleConnectionError(error, { afterMs: now - this.#sentAt, unreadMs })
    this.close(stale, stale.isUnread ? this.#sentAt - idleSince : undefined)
  }

  /** An invalid response, or a bug in the handler; either way nobody knows where the response would end. */
  #fail(error: unknown): void {
    this.close(error instanceof Error ? error : new errors.SocketError(String(error)))
  }
}
