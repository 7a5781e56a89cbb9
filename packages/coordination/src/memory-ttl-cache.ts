import type { Clock } from '@tollgate/kit/clock'
import type { TtlCache, TtlCacheOptions } from './ttl-cache.ts'

interface Entry {
  readonly value: string
  readonly bytes: number
  readonly endsMs: number
}

/** Knows every value at once. */
export interface MemoryTtlCache extends TtlCache {
  get(key: string): string | undefined
}

/**
 * The entry that was put first is evicted first when the cache is full. Most entries have the same lifetime, so
 * insertion order is expiry order; one that expires earlier is removed when it is looked for, or with those put
 * before it.
 */
export function memoryTtlCache(options: TtlCacheOptions, clock: Clock): MemoryTtlCache {
  const entries = new Map<string, Entry>()
  let bytes = 0

  function remove(key: string): void {
    bytes -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }

  function makeRoom(): void {
    const nowMs = clock.monotonicMs()
    for (const [key, { endsMs }] of entries) {
      const isFull = entries.size > options.entriesMax || bytes > options.bytesMax
      if (!isFull && endsMs > nowMs) return
      remove(key)
    }
  }

  return {
    put: (key, value, lifetimeMs = options.lifetimeMs) => {
      const valueBytes = Buffer.byteLength(value)
      if (valueBytes > options.valueBytesMax) return
      remove(key)
      const entry = { value, bytes: Buffer.byteLength(key) + valueBytes }
      entries.set(key, { ...entry, endsMs: clock.monotonicMs() + lifetimeMs })
      bytes += entry.bytes
      makeRoom()
    },
    remove,
    get: (key) => {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      if (entry.endsMs > clock.monotonicMs()) return entry.value
      remove(key)
      return undefined
    },
    find: async (keys) => {
      makeRoom()
      const nowMs = clock.monotonicMs()
      const found = new Map<string, string>()
      for (const key of keys) {
        const entry = entries.get(key)
        if (entry === undefined) continue
        if (entry.endsMs > nowMs) found.set(key, entry.value)
        else remove(key)
      }
      return found
    },
    clear: async () => {
      const { size } = entries
      entries.clear()
      bytes = 0
      return size
    },
    count: async () => {
      makeRoom()
      return entries.size
    },
  }
}
