import type { Clock } from '@tollgate/kit/clock'
import { memoryOneTime } from './memory-one-time.ts'
import type { OneTime } from './one-time.ts'
import { type RedisLink, redisScript } from './redis-link.ts'

/**
 * One-time values that all processes share. What is put while Redis is away stays in this process, so that a sign-in that
 * comes back to it goes on; elsewhere it has to be begun again.
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
      // Also when it was kept here: whether an unanswered put arrived is not known, and one use is all there is.
      const taken = await link.run(TAKE, { key: shared(key), values: [] }).catch(() => undefined)
      return kept ?? (typeof taken === 'string' ? taken : undefined)
    },
  }
}

/** `GETDEL`, for servers older than 6.2 as well. */
const TAKE = redisScript(`
local value = redis.call('GET', KEYS[1])
if value then redis.call('DEL', KEYS[1]) end
return value
`)
