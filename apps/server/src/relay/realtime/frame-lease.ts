import type { Duplex } from 'node:stream'
import type { BodyLease } from '../admit/body-budget.ts'

/** Bytes of a frame that are let in before they are paid for; most frames are smaller. */
const UNCOUNTED_BYTES = 64 * 1024

/**
 * Takes the bytes of a session's frames from the budget of bodies: from their first byte on, since a frame is kept until
 * it is whole, and until the other side has taken it.
 */
export class FrameLease {
  readonly #lease: BodyLease
  readonly #onRefused: (error: unknown) => void
  #arrived = 0
  #taken = 0

  constructor(socket: Duplex, lease: BodyLease, onRefused: (error: unknown) => void) {
    this.#lease = lease
    this.#onRefused = onRefused
    // Before the frame is told, so that what is counted then belongs to it.
    socket.prependListener('data', this.#arrive)
    socket.once('close', () => socket.off('data', this.#arrive))
  }

  /** A frame is whole. Answers what gives its bytes back; `undefined` for one that took none. */
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
