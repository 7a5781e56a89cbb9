import type { IncomingMessage } from 'node:http'
import { WebSocket, type RawData } from 'ws'
import { bytesOf } from '../../realtime/pass-frame.ts'

/** Where a socket leads. Two calls can use the same one if all of it is equal. */
export interface SocketTarget {
  readonly channelId: number
  /** A `ws:` or `wss:` URL. */
  readonly url: string
  readonly proxy: string | undefined
  /** Headers of the handshake, with the channel's credential. */
  readonly headers: Readonly<Record<string, string>>
}

/** The call that uses a socket. */
export interface SocketUser {
  /** `undefined` for a frame that is no text. */
  received(message: Buffer | undefined): void
  /** The handshake got this response instead. */
  refused(response: IncomingMessage): void
  /** The connection failed or was closed by the vendor. */
  broke(error: Error): void
}

const NORMAL = 1000

/** A WebSocket to a vendor, which runs one response at a time. */
export class UpstreamSocket {
  readonly target: SocketTarget
  /** The lane whose calls it served last. */
  lane: string | undefined
  /** The response that the vendor can continue on this connection. */
  lastResponseId: string | undefined
  /** Whether a call has ended on it, so that it may have been closed by the vendor since. */
  hasServed = false
  readonly #socket: WebSocket
  readonly #onClosed: (socket: UpstreamSocket) => void
  #user: SocketUser | undefined
  #error: Error | undefined
  #isAlive = true

  constructor(
    target: SocketTarget,
    input: { readonly socket: WebSocket; readonly onClosed: (socket: UpstreamSocket) => void },
  ) {
    this.target = target
    this.#socket = input.socket
    this.#onClosed = input.onClosed
    this.#listen()
  }

  get isIdle(): boolean {
    return this.#user === undefined
  }

  /** All frames so far were passed to the system. */
  get isFlushed(): boolean {
    return this.#socket.readyState === WebSocket.OPEN && this.#socket.bufferedAmount === 0
  }

  begin(user: SocketUser, frame: Buffer): void {
    this.#user = user
    const send = () => this.#socket.send(frame, { binary: false }, ignored)
    if (this.#socket.readyState === WebSocket.CONNECTING) this.#socket.once('open', send)
    else send()
  }

  /** The response has ended; another call may use the socket. */
  end(lastResponseId: string | undefined): void {
    this.#user = undefined
    this.hasServed = true
    this.lastResponseId = lastResponseId
    this.resume()
  }

  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  /** Notices a vendor that has gone without closing the connection. */
  ping(): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return
    if (!this.#isAlive && this.isIdle) return this.terminate()
    this.#isAlive = false
    this.#socket.ping()
  }

  close(): void {
    this.#leave()
    this.#socket.close(NORMAL)
    // A vendor that does not answer the close would keep the connection for half a minute.
    setTimeout(() => this.#socket.terminate(), CLOSE_MS).unref()
  }

  terminate(): void {
    this.#leave()
    this.#socket.terminate()
  }

  #listen(): void {
    const socket = this.#socket
    socket.on('message', (data: RawData, isBinary: boolean) => {
      this.#isAlive = true
      this.#user?.received(isBinary ? undefined : bytesOf(data))
    })
    socket.on('pong', () => (this.#isAlive = true))
    socket.on('unexpected-response', (_request: unknown, response: IncomingMessage) => {
      const user = this.#user
      this.#leave()
      if (user === undefined) response.destroy()
      else user.refused(response)
    })
    // An error is followed by `close`, at once if nobody waits for the other side.
    socket.on('error', (error) => {
      this.#error = error
      if (socket.readyState !== WebSocket.CONNECTING) socket.terminate()
    })
    socket.once('close', (code: number) => {
      const user = this.#user
      this.#leave()
      user?.broke(this.#error ?? new VendorClosed(code))
    })
  }

  #leave(): void {
    this.#user = undefined
    this.#onClosed(this)
  }
}

const CLOSE_MS = 2_000

/** A vendor closed its connection in the middle of a response. */
class VendorClosed extends Error {
  override readonly name = 'VendorClosed'
  readonly code: string

  constructor(closeCode: number) {
    super('the vendor closed the connection')
    this.code = `CLOSED_${closeCode}`
  }
}

function ignored(): void {
  // A frame that cannot be sent is followed by `close`.
}
