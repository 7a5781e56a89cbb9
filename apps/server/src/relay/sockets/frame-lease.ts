import type { Duplex } from 'node:stream'
import { problem } from '@tollgate/problems/problem'
import type { BalanceClass, BodyLease } from '../stations/admit/body-budget.ts'
import type { FrameBudget } from './frame-budget.ts'

/** Bytes of a frame that are accepted before they are charged to the budgets; most frames are smaller. */
const UNCOUNTED_BYTES = 16 * 1024
/** A frame that has begun must go on, and must end. */
const SILENT_MS = 10_000
const FRAME_MS = 60_000

export interface FrameLeaseInput {
  /** The connection below the WebSocket. */
  readonly connection: Duplex
  readonly lease: BodyLease
  readonly budget: FrameBudget
  /** Looked up when a frame turns out to be long. */
  readonly readStanding: () => Promise<BalanceClass>
  /** Monotonic time. */
  readonly now: () => number
  /** Must end the socket; nothing more of it is counted. */
  readonly onRefused: (error: unknown) => void
}

/**
 * Charges the frames of a socket to the budget for request bodies: from their first bytes on, because a
 * frame is buffered until it is complete, and until the other side has received it.
 */
export class FrameLease {
  readonly #input: FrameLeaseInput
  #arrived = 0
  #taken = 0
  #beganAt = 0
  #arrivedAt = 0
  #hasBalance = true
  #isOver = false
  /** What has arrived of a long frame that is not complete; the library copies fragments and drops their chunks. */
  readonly #chunks: WeakRef<Buffer>[] = []

  constructor(input: FrameLeaseInput) {
    this.#input = input
    const { connection } = input
    // Runs before the websocket's own listener, so that the bytes counted belong to the frame they complete.
    connection.prependListener('data', this.#arrive)
    connection.once('close', () => {
      this.end()
      this.#free()
    })
  }

  /**
   * Call this when a frame is complete. Returns the function that returns its bytes to the budget;
   * `undefined` for a frame that took none.
   */
  whole(): (() => void) | undefined {
    const taken = this.#taken
    this.#giveFrame()
    this.#arrived = 0
    // The frame that is handed on may be a view of its last chunk.
    this.#chunks.length = 0
    return taken === 0 ? undefined : () => this.#input.lease.give(taken)
  }

  /** Refuses a frame that has stalled, or that takes too long. */
  tick(now: number): void {
    if (this.#taken === 0 || this.#isOver) return
    if (now - this.#arrivedAt >= SILENT_MS || now - this.#beganAt >= FRAME_MS)
      this.#refuse(problem('frame_too_slow'))
  }

  end(): void {
    this.#isOver = true
    this.#giveFrame()
    this.#input.connection.off('data', this.#arrive)
  }

  readonly #arrive = (chunk: Buffer): void => {
    this.#arrived += chunk.length
    const more = this.#arrived - this.#taken
    if (more <= UNCOUNTED_BYTES) return
    this.#chunks.push(new WeakRef(chunk))
    const { lease, budget, now } = this.#input
    try {
      budget.take(lease.userId, { held: this.#taken, bytes: more, hasBalance: this.#hasBalance })
      if (this.#taken === 0) this.#begin()
      this.#taken += more
      this.#arrivedAt = now()
      lease.take(more)
    } catch (error) {
      this.#refuse(error)
    }
  }

  #begin(): void {
    this.#beganAt = this.#input.now()
    // While the ledger cannot be read, an account keeps its standing.
    this.#input.readStanding().then(
      (standing) => this.#judge(standing),
      () => undefined,
    )
  }

  /** Charges what has arrived again, as that of an account with this balance. */
  #judge(standing: BalanceClass): void {
    if (this.#isOver) return
    const { lease, budget } = this.#input
    const held = this.#taken
    try {
      lease.setStanding(standing)
      this.#giveFrame()
      this.#hasBalance = standing !== 'none'
      budget.take(lease.userId, { held: 0, bytes: held, hasBalance: this.#hasBalance })
      this.#taken = held
    } catch (error) {
      this.#refuse(error)
    }
  }

  #refuse(error: unknown): void {
    if (this.#isOver) return
    this.end()
    this.#input.onRefused(error)
    // The library takes the last chunk after this. Many connections are read before the first one tells its close.
    process.nextTick(() => this.#free())
  }

  /** Nothing reads the chunks of a connection that is destroyed, and nothing writes them. */
  #free(): void {
    if (this.#input.connection.destroyed) freeChunks(this.#chunks)
  }

  #giveFrame(): void {
    this.#input.budget.give(this.#input.lease.userId, { held: this.#taken, hasBalance: this.#hasBalance })
    this.#taken = 0
  }
}

/**
 * Returns the memory of a frame that will never be complete. The garbage collector does not hurry for it, so that
 * some hundred callers with half a frame each would hold several times the budget. Nobody else has these bytes:
 * compression is off, and the connection has been closed.
 */
function freeChunks(chunks: WeakRef<Buffer>[]): void {
  for (const chunk of chunks) {
    const { buffer, byteLength } = chunk.deref() ?? {}
    // Node 20 cannot free it; smaller chunks may share their memory with others.
    if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && 'transfer' in buffer)
      buffer.transfer(0)
  }
  chunks.length = 0
}
