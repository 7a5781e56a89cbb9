import { performance } from 'node:perf_hooks'
import { errors } from 'undici'
import type { Connection } from './connection.ts'
import { IdleTime } from './idle-time.ts'

export interface Idle {
  readonly connection: Connection
  /** By the monotonic clock. */
  readonly since: number
  /** How long it may be idle, where the other side announced a time. */
  readonly announcedMs: number | undefined
}

const SWEEP_MS = 1_000

/** The connections of an origin that carry no request. The one that was used last is taken first. */
export class IdleConnections {
  readonly #keepAliveMs: number
  readonly #learned = new IdleTime()
  #idle: Idle[] = []
  #sweep: NodeJS.Timeout | undefined

  /** `keepAliveMs`: how long a connection is kept if nothing else is announced or learned. */
  constructor(keepAliveMs: number) {
    this.#keepAliveMs = keepAliveMs
  }

  add(connection: Connection, announcedMs?: number): void {
    this.putBack({ connection, since: performance.now(), announcedMs })
  }

  putBack(idle: Idle): void {
    this.#idle.push(idle)
    this.#sweep ??= setInterval(() => this.#closeOld(), SWEEP_MS).unref()
  }

  take(): Idle | undefined {
    if (this.#idle.length === 0) return undefined
    const now = performance.now()
    const keptMs = this.#keptMs(now)
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (!isOld(idle, { now, keptMs })) return idle
      closeOld(idle)
    }
    return undefined
  }

  remove(connection: Connection): void {
    const at = this.#idle.findIndex((idle) => idle.connection === connection)
    if (at !== -1) this.#idle.splice(at, 1)
  }

  /** The other side closed a connection that was idle for so long. */
  learn(idleMs: number): void {
    this.#learned.learn(idleMs, performance.now())
  }

  closeAll(): void {
    for (const { connection } of this.#idle.splice(0)) connection.close(new errors.SocketError('closed'))
  }

  #keptMs(now: number): number {
    return Math.min(this.#keepAliveMs, this.#learned.keptMs(now) ?? Number.POSITIVE_INFINITY)
  }

  #closeOld(): void {
    const now = performance.now()
    const keptMs = this.#keptMs(now)
    const old = this.#idle.filter((idle) => isOld(idle, { now, keptMs }))
    for (const idle of old) closeOld(idle)
    if (this.#idle.length > 0) return
    clearInterval(this.#sweep)
    this.#sweep = undefined
  }
}

function isOld(
  { since, announcedMs }: Idle,
  { now, keptMs }: { readonly now: number; readonly keptMs: number },
): boolean {
  return now - since >= (announcedMs ?? keptMs)
}

/** Closing it removes it. */
function closeOld({ connection }: Idle): void {
  connection.close(new errors.SocketError('idle for too long'))
}
