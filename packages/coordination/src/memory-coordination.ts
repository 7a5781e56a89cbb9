import type { Clock } from '@tollgate/kit/clock'
import type { Coordination } from './coordination.ts'
import { memoryBackoff } from './memory-backoff.ts'
import { memoryLimiter } from './memory-limiter.ts'
import { type NoticesOptions, memoryNotices } from './memory-notices.ts'
import { memoryOneTime } from './memory-one-time.ts'
import { memoryTtlCache } from './memory-ttl-cache.ts'

/** Coordination for an installation with a single process. */
export function memoryCoordination({ clock, ...notices }: NoticesOptions & { clock: Clock }): Coordination {
  return {
    notices: memoryNotices(notices),
    oneTime: memoryOneTime(clock),
    limiter: (_name, options) => memoryLimiter(options, clock),
    backoff: (_name, options) => memoryBackoff(options, clock),
    ttlCache: (_name, options) => memoryTtlCache(options, clock),
    health: () => ({ isShared: true, losses: 0 }),
    close: async () => undefined,
  }
}
