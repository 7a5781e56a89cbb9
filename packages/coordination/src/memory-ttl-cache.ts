import type { Clock } from '@tollgate/kit/clock'
import type { TtlCache, TtlCacheOptions } from './ttl-cache.ts'

interface Entry {
  readonly value: string
  readonly bytes: number
  readonly endsMs: number
}

/**
 * All entries have the same lifetime, so insertion order is expiry order: the first entries expire first, and
 * are evicted first when the cache is full.
 */
export function memoryTtlCache(options: TtlCacheOptions, clock: Clock): TtlCache {
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
    put: (key, value) => {
      const valueBytes = Buffer.byteLength(value)
      if (valueBytes > options.valueBytesMax) return
      remove(key)
      const entry = { value, bytes: Buffer.byteLength(key) + valueBytes }
      entries.set(key, { ...entry, endsMs: clock.monotonicMs() + options.lifetimeMs })
      bytes += entry.bytes
      makeRoom()
    },
    find: async (keys) => {
      makeRoom()
      const found = new Map<string, string>()
      for (const key of keys) {
        const entry = entries.get(key)
        if (entry !== undefined) found.set(key, entry.value)
      }
      return found
    },
  }
}
