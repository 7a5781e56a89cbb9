import type { Coordination } from '@tollgate/coordination/coordination'
import type { Clock } from '@tollgate/kit/clock'

export const LONG_ANSWERS_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000
const MODELS_MAX = 5_000
const MODEL_CHARACTERS_MAX = 255

const SHELF = {
  lifetimeMs: LONG_ANSWERS_LIFETIME_MS,
  entriesMax: MODELS_MAX,
  bytesMax: 4 * 1024 * 1024,
  valueBytesMax: 64,
  isReplaced: true,
}

export interface LongAnswersDeps {
  readonly ttlCache: Coordination['ttlCache']
  readonly clock: Clock
}

/**
 * Models of channels that reported more output than a call had asked for. The limit of a caller does not bound
 * the answers of an unknown model that did that within the last 30 days.
 */
export class LongAnswers {
  readonly #clock: Clock
  readonly #ttlCache: ReturnType<Coordination['ttlCache']>
  /** Wall times of the last such answers; 0 for a model that other processes are asked about. */
  readonly #notedMs = new Map<string, number>()

  constructor({ ttlCache, clock }: LongAnswersDeps) {
    this.#clock = clock
    this.#ttlCache = ttlCache('long-answers', SHELF)
  }

  /** Never waits: what another process noted is known from the second call on. */
  has(channelId: number, model: string): boolean {
    const key = buildKey(channelId, model)
    const notedMs = this.#notedMs.get(key)
    if (notedMs === undefined) void this.#read(key)
    return this.#clock.nowMs() - (notedMs ?? 0) < LONG_ANSWERS_LIFETIME_MS
  }

  note(channelId: number, model: string): void {
    const key = buildKey(channelId, model)
    this.#keep(key, this.#clock.nowMs())
    this.#ttlCache.put(key, String(this.#clock.nowMs()))
  }

  async #read(key: string): Promise<void> {
    this.#keep(key, 0)
    try {
      const text = (await this.#ttlCache.find([key])).get(key)
      if (text !== undefined) this.#keep(key, Number(text))
    } catch {
      // Without the shared cache each process knows what it saw itself.
    }
  }

  #keep(key: string, notedMs: number): void {
    if (this.#notedMs.size >= MODELS_MAX) this.#notedMs.clear()
    this.#notedMs.set(key, notedMs)
  }
}

function buildKey(channelId: number, model: string): string {
  return `${channelId}:${model.slice(0, MODEL_CHARACTERS_MAX)}`
}
