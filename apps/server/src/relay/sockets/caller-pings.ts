import { WebSocket } from 'ws'

/**
 * A caller that does not answer a ping for this long is treated as gone, even if the socket is still open.
 */
const PING_MS = 30_000

/** Notices callers that have gone without closing their connection. */
export class CallerPings {
  readonly #socket: WebSocket
  #pingedAt: number
  #isAlive = true

  constructor(socket: WebSocket, now: number) {
    this.#socket = socket
    this.#pingedAt = now
    socket.on('pong', () => this.hear())
  }

  /** Something came from the caller. */
  hear(): void {
    this.#isAlive = true
  }

  /** Returns whether it has sent a ping. */
  tick(now: number): boolean {
    if (now - this.#pingedAt < PING_MS) return false
    if (!this.#isAlive) this.#socket.terminate()
    this.#isAlive = false
    this.#pingedAt = now
    const isOpen = this.#socket.readyState === WebSocket.OPEN
    if (isOpen) this.#socket.ping()
    return isOpen
  }
}
