import type { Duplex } from 'node:stream'
import type { BodyLease } from '../stations/admit/body-budget.ts'

/** Bytes of a frame that are accepted before they are charged to the budget; most frames are smaller. */
const UNCOUNTED_BYTES = 64 * 1024

/**
 * Charges the frames of a session to the budget for request bodies: from their first bytes on, because a
 * frame is buffered until it is complete, and until the other side has received it.
 */
export class FrameLease {
  readonly #lease: BodyLease
  readonly #onRefused: (error: unknown) => void
  #arrived = 0
  #taken = 0

  constructor(socket: Duplex, lease: BodyLease, onRefused: (error: unknown) => void) {
    this.#lease = lease
    this.#onRefused = onRefused
    // Runs before the websocket's own listener, so that the bytes counted belong to the frame they complete.
    socket.prependListener('data', this.#arrive)
    socket.once('close', () => socket.off('data', this.#arrive))
  }

  /**
   * Call this when a frame is complete. Returns the function that returns its bytes to the budget;
   * `undefined` for a frame that took none.
   */
  whole(): (() => void) | undefined {
    const taken = this.#taken
    this.#arrived = 0
    this.#taken = 0
    return taken === 0 ? undefined : () => this.#lease.give(taken)
  }

  readonly #arrive = (chunk: Buffer): void => {
    this.#arrived += chunk.length
    const more = this.#arrived - this.#taken
    if (more <= UNCOUNTED_BYTES) return
    try {
      this.#lease.take(more)
      this.#taken += more
    } catch (error) {
      this.#onRefused(error)
    }
  }
}
