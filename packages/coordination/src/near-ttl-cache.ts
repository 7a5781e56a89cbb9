import type { Clock } from '@tollgate/kit/clock'
import { memoryTtlCache } from './memory-ttl-cache.ts'
import type { TtlCache, TtlCacheOptions } from './ttl-cache.ts'

/** Puts copies of recent values before a cache that other processes share, for `nearMs` each. */
export function nearTtlCache(
  shared: TtlCache,
  { nearMs, ...options }: TtlCacheOptions,
  clock: Clock,
): TtlCache {
  if (nearMs === undefined) return shared
  const near = memoryTtlCache({ ...options, lifetimeMs: nearMs }, clock)
  return {
    put: (key, value, lifetimeMs = options.lifetimeMs) => {
      near.put(key, value, Math.min(lifetimeMs, nearMs))
      shared.put(key, value, lifetimeMs)
    },
    remove: (key) => {
      near.remove(key)
      shared.remove(key)
    },
    get: (key) => {
      const here = near.get(key)
      if (here !== undefined) return here
      const elsewhere = shared.get(key)
      if (!(elsewhere instanceof Promise)) return elsewhere
      return elsewhere.then((value) => {
        if (value !== undefined) near.put(key, value)
        return value
      })
    },
    find: async (keys) => {
      const here = await near.find(keys)
      const missing = keys.filter((key) => !here.has(key))
      if (missing.length === 0) return here
      const elsewhere = await shared.find(missing)
      for (const [key, value] of elsewhere) near.put(key, value)
      return new Map([...here, ...elsewhere])
    },
    clear: async () => {
      await near.clear()
      return shared.clear()
    },
    count: () => shared.count(),
  }
}
