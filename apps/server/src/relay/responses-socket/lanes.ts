import { problem } from '@tollgate/problems/problem'
import type { Turn } from './turn.ts'

/** OpenAI's limits for one connection. */
const NAMES_MAX = 32
const RUNNING_MAX = 16

/** The lanes of a connection: a call in each at a time. The lane without a name is `undefined`. */
export class Lanes {
  readonly #names = new Set<string>()
  readonly #running = new Map<string | undefined, Turn>()

  get isIdle(): boolean {
    return this.#running.size === 0
  }

  /** Throws the Problem of a lane that may not begin a call now. */
  check(lane: string | undefined): void {
    const isNew = lane !== undefined && !this.#names.has(lane)
    if (isNew && this.#names.size >= NAMES_MAX)
      throw problem('websocket_stream_limit_reached', { max: NAMES_MAX, param: 'stream_id' })
    if (this.#running.has(lane)) throw problem('websocket_response_running')
    if (this.#running.size >= RUNNING_MAX) throw problem('websocket_responses_reached', { max: RUNNING_MAX })
  }

  begin(lane: string | undefined, turn: Turn): void {
    if (lane !== undefined) this.#names.add(lane)
    this.#running.set(lane, turn)
  }

  /** Does nothing when the lane has begun another call. */
  end(lane: string | undefined, turn: Turn): void {
    if (this.#running.get(lane) === turn) this.#running.delete(lane)
  }
}
