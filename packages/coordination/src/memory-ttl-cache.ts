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
    const entry = entries.get(key)
    if (entry === undefined) return
    bytes -= entry.bytes
    entries.delete(key)
  }

  // One iterator goes on where it stopped: a map keeps the places of removed entries for a while, and a new iterator
  // would pass all of them with each entry that is put into a full cache.
  let ahead = entries.entries()
  let first: [string, Entry] | undefined

  /** The entry that was put first; all before it were removed. */
  function oldest(): [string, Entry] | undefined {
    if (first !== undefined && entries.get(first[0]) === first[1]) return first
    return pass()
  }

  function pass(): [string, Entry] | undefined {
    first = ahead.next().value
    if (first !== undefined || entries.size === 0) return first
    // An iterator that has ended does not see what was put later.
    ahead = entries.entries()
    first = ahead.next().value
    return first
  }

  function makeRoom(): void {
    const nowMs = clock.monotonicMs()
    for (let place = oldest(); place !== undefined; place = pass()) {
      const [key, entry] = place
      const isFull = entries.size > options.entriesMax || bytes > options.bytesMax
      if (!isFull && entry.endsMs > nowMs) return
      bytes -= entry.bytes
      entries.delete(key)
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
