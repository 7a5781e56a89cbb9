import type { SocketTarget } from './upstream-socket.ts'

type Address = Pick<SocketTarget, 'channelId' | 'url'>

const HOUR_MS = 3_600_000
const ADDRESSES_MAX = 1_000

/** Statuses with which servers answer a handshake that they do not know. */
const UNKNOWN = new Set([200, 400, 404, 405, 426, 501])

export function isWithoutSockets(status: number): boolean {
  return UNKNOWN.has(status)
}

/** Addresses of channels that refused a WebSocket, and get HTTP requests for an hour. */
export class HttpOnly {
  readonly #now: () => number
  /** By address, until when; oldest first. */
  readonly #until = new Map<string, number>()

  constructor(now: () => number) {
    this.#now = now
  }

  has(address: Address): boolean {
    const until = this.#until.get(keyOf(address))
    return until !== undefined && until > this.#now()
  }

  note(address: Address): void {
    const key = keyOf(address)
    this.#until.delete(key)
    this.#until.set(key, this.#now() + HOUR_MS)
    const [oldest] = this.#until.keys()
    if (this.#until.size > ADDRESSES_MAX && oldest !== undefined) this.#until.delete(oldest)
  }
}

function keyOf({ channelId, url }: Address): string {
  return `${channelId} ${url}`
}
