import { performance } from 'node:perf_hooks'
import { errors } from 'undici'
import type { Connection } from './connection.ts'

export interface Idle {
  readonly connection: Connection
  /** By the monotonic clock. */
  readonly until: number
}

const SWEEP_MS = 1_000

/** The connections of an origin that carry no request. The one that was used last is taken first. */
export class IdleConnections {
  #idle: Idle[] = []
  #sweep: NodeJS.Timeout | undefined

  /** Keeps a connection for some time. */
  add(connection: Connection, ms: number): void {
    this.putBack({ connection, until: performance.now() + ms })
  }

  putBack(idle: Idle): void {
    this.#idle.push(idle)
    this.#sweep ??= setInterval(() => this.#closeOld(), SWEEP_MS).unref()
  }

  take(): Idle | undefined {
    if (this.#idle.length === 0) return undefined
    const now = performance.now()
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop())
      if (isUsable(idle, now)) return idle
    return undefined
  }

  closeAll(): void {
    for (const { connection } of this.#idle.splice(0)) connection.close(new errors.SocketError('closed'))
  }

  #closeOld(): void {
    const now = performance.now()
    this.#idle = this.#idle.filter((idle) => isUsable(idle, now))
    if (this.#idle.length > 0) return
    clearInterval(this.#sweep)
    this.#sweep = undefined
  }
}

/** Closes a connection whose time is over. */
function isUsable({ connection, until }: Idle, now: number): boolean {
  if (until <= now) connection.close(new errors.SocketError('idle for too long'))
  return !connection.isClosed
}
