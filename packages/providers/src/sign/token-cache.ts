import type { Clock } from '@tollgate/kit/clock'
import { problem } from '@tollgate/problems/problem'
import type { TokenExchange, TokenRequest } from './exchange.ts'

/**
 * A token in its last hour, or in the second half of a short lifetime, is refreshed in the background while
 * calls still use it.
 */
const RENEW_BEFORE_MS = 60 * 60 * 1000

export interface TokenCacheOptions {
  readonly clock: Clock
  /**
   * Sends a POST through the channel's proxy and returns the response body, whatever the status. Rejects when
   * there was no response.
   */
  readonly send: (request: TokenRequest, proxy: string | undefined) => Promise<Buffer>
  readonly entriesMax: number
}

/** A channel's key, and the proxy for its requests. */
export interface KeyHolder {
  readonly key: string
  readonly proxy?: string | undefined
}

interface Entry {
  readonly token: string
  readonly renewAtMs: number
  readonly endsAtMs: number
}

/** Caches access tokens by key. Concurrent calls share one exchange request per key. */
export class TokenCache {
  readonly #options: TokenCacheOptions
  readonly #entries = new Map<string, Entry>()
  readonly #flights = new Map<string, Promise<string>>()

  constructor(options: TokenCacheOptions) {
    this.#options = options
  }

  /** Throws `channel_key_refused` when the vendor refuses the key, or the error that `send` threw. */
  async tokenFor(exchange: TokenExchange, { key, proxy }: KeyHolder): Promise<string> {
    const nowMs = this.#options.clock.nowMs()
    const entry = this.#entries.get(key)
    if (entry === undefined || nowMs >= entry.endsAtMs) return this.#renew(exchange, { key, proxy })
    // If the background refresh fails, the token that still works is kept. Once it has expired, the next call
    // refreshes it and gets the error.
    if (nowMs >= entry.renewAtMs) this.#renew(exchange, { key, proxy }).catch(() => undefined)
    return entry.token
  }

  /**
   * Removes a token that the upstream refused, so that the next call gets another one. A newer token is kept.
   */
  forget(key: string, token: string): void {
    if (this.#entries.get(key)?.token === token) this.#entries.delete(key)
  }

  #renew(exchange: TokenExchange, holder: KeyHolder): Promise<string> {
    const { key } = holder
    const running = this.#flights.get(key)
    if (running !== undefined) return running
    const flight = this.#exchange(exchange, holder).finally(() => this.#flights.delete(key))
    this.#flights.set(key, flight)
    return flight
  }

  async #exchange(exchange: TokenExchange, { key, proxy }: KeyHolder): Promise<string> {
    const { clock, send } = this.#options
    const askedAtMs = clock.nowMs()
    const answer = exchange.read(await send(exchange.request(key, askedAtMs), proxy))
    if (answer.type === 'refused')
      throw problem('channel_key_refused', {}, { cause: new Error(answer.message) })
    const { token, lifetimeMs } = answer
    const endsAtMs = askedAtMs + lifetimeMs
    this.#keep(key, { token, endsAtMs, renewAtMs: endsAtMs - Math.min(RENEW_BEFORE_MS, lifetimeMs / 2) })
    return token
  }

  /** Evicts the oldest entry when the cache is full. */
  #keep(key: string, entry: Entry): void {
    this.#entries.delete(key)
    const [oldest] = this.#entries.keys()
    if (oldest !== undefined && this.#entries.size >= this.#options.entriesMax) this.#entries.delete(oldest)
    this.#entries.set(key, entry)
  }
}
