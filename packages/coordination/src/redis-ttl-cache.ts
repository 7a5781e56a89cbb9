import type { Clock } from '@tollgate/kit/clock'
import { memoryTtlCache } from './memory-ttl-cache.ts'
import { nearTtlCache } from './near-ttl-cache.ts'
import type { RedisLink } from './redis-link.ts'
import { scanKeys } from './scan-keys.ts'
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
export function redisTtlCache(options: TtlCacheOptions, ports: RedisTtlCachePorts): TtlCache {
  return nearTtlCache(sharedTtlCache(options, ports), options, ports.clock)
}

function sharedTtlCache(options: TtlCacheOptions, { link, name, clock }: RedisTtlCachePorts): TtlCache {
  const local = memoryTtlCache(options, clock)
  const place = `${link.prefix}shelf:${name}:`
  const shared = (key: string): string => place + key
  const isNear = options.nearMs !== undefined

  async function find(keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const here = await local.find(keys)
    const isAsked = options.isReplaced === true || isNear
    const missing = isAsked ? keys : keys.filter((key) => !here.has(key))
    if (missing.length === 0) return here
    const reported = await link.send(['MGET', ...missing.map(shared)]).catch(() => undefined)
    if (!Array.isArray(reported)) return here
    const values: readonly unknown[] = reported
    const elsewhere = missing.flatMap((key, at) => {
      const value = values[at]
      return typeof value === 'string' ? [[key, value] as const] : []
    })
    return new Map([...(isNear ? [] : here), ...elsewhere])
  }

  async function clear(): Promise<number> {
    const localCount = await local.clear()
    try {
      let removed = 0
      for await (const keys of scanKeys(link, place)) removed += Number(await link.send(['UNLINK', ...keys]))
      return removed
    } catch {
      // The link has already reported the failure; what is left expires.
      return localCount
    }
  }

  async function count(): Promise<number> {
    try {
      let found = 0
      for await (const keys of scanKeys(link, place)) found += keys.length
      return found
    } catch {
      return local.count()
    }
  }

  return {
    put: (key, value, lifetimeMs = options.lifetimeMs) => {
      if (Buffer.byteLength(value) > options.valueBytesMax) return
      local.put(key, value, lifetimeMs)
      const lifetime = String(Math.ceil(lifetimeMs))
      link.send(['SET', shared(key), value, 'PX', lifetime]).catch(() => undefined)
    },
    remove: (key) => {
      local.remove(key)
      link.send(['DEL', shared(key)]).catch(() => undefined)
    },
    get: async (key) => (await find([key])).get(key),
    find,
    clear,
    count,
  }
}
