import type { Clock } from '@tollgate/kit/clock'
import type { Coordination } from './coordination.ts'
import type { NoticesOptions } from './memory-notices.ts'
import { redisBackoff } from './redis-backoff.ts'
import { redisLimiter } from './redis-limiter.ts'
import { type RedisLinkOptions, openRedisLink } from './redis-link.ts'
import { redisNotices } from './redis-notices.ts'
import { redisOneTime } from './redis-one-time.ts'
import { redisTtlCache } from './redis-ttl-cache.ts'

export type RedisCoordinationOptions = RedisLinkOptions & NoticesOptions & { readonly clock: Clock }

/**
 * Coordination for processes that share a Redis or Valkey, 6.0 or newer. Rejects with a {@link
 * import('./redis-open-error.ts').RedisOpenError} when the server refuses the connection. While the server is down,
 * each process works on its own until it is back.
 */
export async function redisCoordination(options: RedisCoordinationOptions): Promise<Coordination> {
  const { clock } = options
  const link = await openRedisLink(options)
  return {
    notices: await redisNotices(link, options),
    oneTime: redisOneTime(link, clock),
    limiter: (name, limits) => redisLimiter(limits, { link, name, clock }),
    backoff: (name, backoff) => redisBackoff(backoff, { link, name, clock }),
    ttlCache: (name, ttlCache) => redisTtlCache(ttlCache, { link, name, clock }),
    health: () => ({ isShared: link.isUp, losses: link.losses }),
    close: async () => link.close(),
  }
}
