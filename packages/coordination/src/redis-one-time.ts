import type { Clock } from '@tollgate/kit/clock'
import { memoryOneTime } from './memory-one-time.ts'
import type { OneTime } from './one-time.ts'
import { type RedisLink, redisScript } from './redis-link.ts'

/**
 * One-time values shared by all processes. A value stored while Redis is down stays in this process: a
 * sign-in that returns to this process can continue, one that returns to another has to start again.
 */
export function redisOneTime(link: RedisLink, clock: Clock): OneTime {
  const local = memoryOneTime(clock)
  const shared = (key: string): string => `${link.prefix}once:${key}`
  return {
    put: async (key, value, lifetimeMs) => {
      if (!(await local.put(key, value, lifetimeMs))) return false
      const put = ['SET', shared(key), value, 'NX', 'PX', String(Math.ceil(lifetimeMs))]
      const answer = await link.send(put).catch(() => undefined)
      if (answer === undefined) return true
      await local.take(key)
      return answer !== null
    },
    take: async (key) => {
      const kept = await local.take(key)
      // Take from Redis too, even when the value was kept locally: a put whose reply was lost may have
      // arrived, and the value must be usable only once.
      const taken = await link.run(TAKE, { key: shared(key), values: [] }).catch(() => undefined)
      return kept ?? (typeof taken === 'string' ? taken : undefined)
    },
  }
}

/** `GETDEL` as a script, because servers older than 6.2 lack the command. */
const TAKE = redisScript(`
local value = redis.call('GET', KEYS[1])
if value then redis.call('DEL', KEYS[1]) end
return value
`)
