import type { Socket } from 'node:net'
import { inStage } from '@tollgate/kit/turn'
import { Dispatcher, errors, type buildConnector } from 'undici'
import { readConnectTime } from '../connect-times.ts'
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
  /** See `EgressLimits`. */
  readonly unreadMsMin: number
  readonly headBytesMax: number
  /** Opens the client of undici for the same origin, when a request is first sent that is not plain. */
  readonly openGeneral: () => Dispatcher
}

/** What the sender of a request may ask for beyond undici's options. */
export interface FreshDispatchOptions extends Dispatcher.DispatchOptions {
  /** The request goes to a connection that is opened for it. Only plain requests obey. */
  readonly needsFreshConnection?: boolean
}

interface Waiting {
  readonly request: PlainRequest
  readonly handler: Dispatcher.DispatchHandler
}

/**
 * HTTP/1.1 to one origin, for requests whose body is in memory; all others are sent by undici. Requests take the
 * connection that was used last, or wait for one. Nothing is sent twice: whoever sends decides about a
 * `StaleConnectionError`. See `docs/adr/0058-http-client.md` and `docs/adr/0071-closed-connections.md`.
 */
export class OriginClient extends Dispatcher {
  readonly #input: OriginClientInput
  readonly #host: string
  readonly #destination: buildConnector.Options
  readonly #open = new Set<Connection>()
  readonly #idle: IdleConnections
  readonly #waiting: Waiting[] = []
  /** Requests for which a connection of their own is opened. */
  readonly #waitingFresh: Waiting[] = []
  #connecting = 0
  #connectingFresh = 0
  /** How long the latest TCP connections took to be established. */
  readonly #connectTimes: number[] = []
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
    this.#idle = new IdleConnections(input.keepAliveMs)
  }

  override dispatch(options: FreshDispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (this.#isDestroyed) throw new errors.ClientDestroyedError()
    const request = plainRequest(options, this.#host)
    if (request === undefined) {
      this.#general ??= this.#input.openGeneral()
      return this.#general.dispatch({ ...options, origin: this.#input.origin }, handler)
    }
    const queue = options.needsFreshConnection === true ? this.#waitingFresh : this.#waiting
    queue.push({ request, handler })
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
    const waiting = [...this.#waiting.splice(0), ...this.#waitingFresh.splice(0)]
    for (const { handler } of waiting) handler.onResponseError?.(UNSENT, error)
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
    this.#connectFresh()
    const free = this.#freePlaces - this.#connecting
    for (let count = Math.min(this.#waiting.length - this.#connecting, free); count > 0; count--)
      this.#connect()
  }

  /** Without those that the requests of `#waiting` will get. */
  get #freePlaces(): number {
    return this.#input.connectionsMax - this.#open.size - this.#connectingFresh
  }

  /** Opens connections for requests that need one of their own, in the place of idle ones if need be. */
  #connectFresh(): void {
    while (this.#connectingFresh < this.#waitingFresh.length) {
      if (this.#freePlaces <= 0) {
        const idle = this.#idle.take()
        if (idle === undefined) return
        idle.connection.close(new errors.SocketError('closed'))
      }
      this.#connectingFresh++
      this.#input.connect(this.#destination, (error, socket) => {
        this.#connectingFresh--
        const next = this.#waitingFresh.shift()
        if (error !== null) {
          next?.handler.onResponseError?.(UNSENT, error)
          return this.#scheduleTurn()
        }
        const connection = this.#openConnection(socket)
        if (connection === undefined) return
        if (next !== undefined && connection.send(next.request, next.handler)) return
        this.#idle.add(connection)
        this.#scheduleTurn()
      })
    }
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
      const connection = this.#openConnection(socket)
      if (connection === undefined) return
      this.#idle.add(connection)
      this.#scheduleTurn()
    })
  }

  /** Returns `undefined` if the client was destroyed meanwhile. */
  #openConnection(socket: Socket): Connection | undefined {
    const { headBytesMax } = this.#input
    const connection = new Connection({
      socket,
      headBytesMax,
      unreadMs: this.#unreadMs(readConnectTime(socket)),
      onEnd: this.#onEnd,
      onClose: this.#onClose,
    })
    if (this.#isDestroyed) {
      connection.close(new errors.ClientDestroyedError())
      return undefined
    }
    this.#open.add(connection)
    return connection
  }

  /**
   * A busy machine makes a connection seem slower than it was, so the fastest of the latest ones counts, once there
   * are some. No other side is nearer than a millisecond, as far as this matters.
   */
  #unreadMs(connectMs: number | undefined): number {
    const { unreadMsMin } = this.#input
    if (connectMs === undefined) return unreadMsMin
    this.#connectTimes.push(connectMs)
    if (this.#connectTimes.length > CONNECT_TIMES_MAX) this.#connectTimes.shift()
    if (this.#connectTimes.length < CONNECT_TIMES_MIN) return unreadMsMin
    return Math.max(unreadMsMin, Math.min(...this.#connectTimes))
  }

  readonly #onEnd = (connection: Connection, reader: ResponseReader): void => {
    const { announcedMs } = reader
    // What is announced is obeyed, but no connection is kept longer than the usual time.
    const keptMs =
      announcedMs === undefined ? undefined : Math.min(this.#input.keepAliveMs, announcedMs - HINT_MARGIN_MS)
    const isUsable = connection.isFlushed && reader.isReusable && (keptMs === undefined || keptMs > 0)
    if (!isUsable || (this.#isRetired && !this.#hasWaiting))
      connection.close(new errors.SocketError('closed'))
    else this.#idle.add(connection, keptMs)
    if (this.#hasWaiting) this.#scheduleTurn()
  }

  readonly #onClose = (connection: Connection, idleMs: number | undefined): void => {
    this.#open.delete(connection)
    this.#idle.remove(connection)
    if (idleMs !== undefined) this.#idle.learn(idleMs)
    if (this.#hasWaiting) this.#scheduleTurn()
  }

  get #hasWaiting(): boolean {
    return this.#waiting.length + this.#waitingFresh.length > 0
  }
}

const CONNECT_TIMES_MIN = 3
const CONNECT_TIMES_MAX = 16

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
