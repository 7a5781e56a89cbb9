import { inStage } from '@tollgate/kit/turn'
import { Dispatcher, errors, type buildConnector } from 'undici'
import { Connection } from './connection.ts'
import { IdleConnections } from './idle-connections.ts'
import { plainRequest, type PlainRequest } from './plain-request.ts'
import type { ResponseReader } from './response-reader.ts'

export interface OriginClientInput {
  /** `http:` or `https:`. */
  readonly origin: string
  /** Its sockets read into the shared buffer. */
  readonly connect: buildConnector.connector
  readonly connectionsMax: number
  readonly keepAliveMs: number
  readonly headBytesMax: number
  /** Opens the client of undici for the same origin, when a request is first sent that is not plain. */
  readonly openGeneral: () => Dispatcher
}

interface Waiting {
  readonly request: PlainRequest
  readonly handler: Dispatcher.DispatchHandler
}

/**
 * HTTP/1.1 to one origin, for requests whose body is in memory; all others are sent by undici. Requests take the
 * connection that was used last, or wait for one. Nothing is sent twice. See `docs/adr/0058-http-client.md`.
 */
export class OriginClient extends Dispatcher {
  readonly #input: OriginClientInput
  readonly #host: string
  readonly #destination: buildConnector.Options
  readonly #open = new Set<Connection>()
  readonly #idle: IdleConnections
  readonly #waiting: Waiting[] = []
  #connecting = 0
  #isTurnScheduled = false
  #general: Dispatcher | undefined
  #isRetired = false
  #isDestroyed = false

  constructor(input: OriginClientInput) {
    super()
    this.#input = input
    const { protocol, hostname, host, port } = new URL(input.origin)
    this.#host = host
    this.#destination = { protocol, hostname: hostname.replace(/^\[|\]$/g, ''), host, port }
    this.#idle = new IdleConnections()
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (this.#isDestroyed) throw new errors.ClientDestroyedError()
    const request = plainRequest(options, this.#host)
    if (request === undefined) {
      this.#general ??= this.#input.openGeneral()
      return this.#general.dispatch({ ...options, origin: this.#input.origin }, handler)
    }
    this.#waiting.push({ request, handler })
    this.#scheduleTurn()
    return true
  }

  /** Keeps no connection that is not in use, from now on. */
  retire(): void {
    this.#isRetired = true
    this.#idle.closeAll()
    this.#general?.close(() => undefined)
  }

  /** Closes all connections; requests that wait or are under way fail. */
  override async destroy(): Promise<void> {
    this.#isDestroyed = true
    const error = new errors.ClientDestroyedError()
    for (const connection of this.#open) connection.close(error)
    for (const { handler } of this.#waiting.splice(0)) handler.onResponseError?.(UNSENT, error)
    await this.#general?.destroy()
  }

  /**
   * Requests are sent after the event loop has read from all connections that it knows to be readable. Otherwise one
   * could be sent on an idle connection that the server has closed, or whose unread bytes would be taken for the
   * response.
   */
  #scheduleTurn(): void {
    if (this.#isTurnScheduled) return
    this.#isTurnScheduled = true
    inStage('send', this.#turn)
  }

  readonly #turn = (): void => {
    this.#isTurnScheduled = false
    while (this.#waiting.length > 0) {
      const idle = this.#idle.take()
      const next = idle && this.#waiting.shift()
      if (idle === undefined || next === undefined) break
      if (!idle.connection.send(next.request, next.handler)) this.#idle.putBack(idle)
    }
    const free = this.#input.connectionsMax - this.#open.size
    while (this.#connecting < Math.min(this.#waiting.length, free)) this.#connect()
  }

  #connect(): void {
    this.#connecting++
    this.#input.connect(this.#destination, (error, socket) => {
      this.#connecting--
      if (error !== null) {
        this.#waiting.shift()?.handler.onResponseError?.(UNSENT, error)
        this.#scheduleTurn()
        return
      }
      const { headBytesMax } = this.#input
      const connection = new Connection({ socket, headBytesMax, onEnd: this.#onEnd, onClose: this.#onClose })
      if (this.#isDestroyed) return connection.close(new errors.ClientDestroyedError())
      this.#open.add(connection)
      this.#idle.add(connection, this.#input.keepAliveMs)
      this.#scheduleTurn()
    })
  }

  readonly #onEnd = (connection: Connection, reader: ResponseReader): void => {
    const { keepAliveMs } = this.#input
    const ms = connection.isFlushed ? reader.reusableFor(keepAliveMs, HINT_MARGIN_MS) : undefined
    if (ms === undefined || (this.#isRetired && this.#waiting.length === 0))
      connection.close(new errors.SocketError('closed'))
    else this.#idle.add(connection, ms)
    if (this.#waiting.length > 0) this.#scheduleTurn()
  }

  readonly #onClose = (connection: Connection): void => {
    this.#open.delete(connection)
    if (this.#waiting.length > 0) this.#scheduleTurn()
  }
}

/** A connection is given up so long before the server would close it. */
const HINT_MARGIN_MS = 2_000

/** For a request that was never sent; there is nothing to control. */
const UNSENT: Dispatcher.DispatchController = {
  aborted: false,
  paused: false,
  reason: null,
  abort: () => undefined,
  pause: () => undefined,
  resume: () => undefined,
}
