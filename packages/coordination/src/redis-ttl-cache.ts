import type { Clock } from '@tollgate/kit/clock'
import { memoryTtlCache } from './memory-ttl-cache.ts'
import type { RedisLink } from './redis-link.ts'
import type { TtlCache, TtlCacheOptions } from './ttl-cache.ts'

export interface RedisTtlCachePorts {
  readonly link: RedisLink
  readonly name: string
  readonly clock: Clock
}

/**
 * A cache shared by all processes. A value that this process stored itself is read without a round trip, and
 * stays available while Redis is down.
 */
export function redisTtlCache(options: TtlCacheOptions, { link, name, clock }: RedisTtlCachePorts): TtlCache {
  const local = memoryTtlCache(options, clock)
  const shared = (key: string): string => `${link.prefix}shelf:${name}:${key}`
  const lifetime = String(Math.ceil(options.lifetimeMs))
  return {
    put: (key, value) => {
      if (Buffer.byteLength(value) > options.valueBytesMax) return
      local.put(key, value)
      link.send(['SET', shared(key), value, 'PX', lifetime]).catch(() => undefined)
    },
    find: async (keys) => {
      const here = await local.find(keys)
      const missing = options.isReplaced === true ? keys : keys.filter((key) => !here.has(key))
      if (missing.length === 0) return here
      const reported = await link.send(['MGET', ...missing.map(shared)]).catch(() => undefined)
      const values: readonly unknown[] = Array.isArray(reported) ? reported : []
      const elsewhere = missing.flatMap((key, at) => {
        const value = values[at]
        return typeof value === 'string' ? [[key, value] as const] : []
      })
      return new Map([...here, ...elsewhere])
    },
  }
}
