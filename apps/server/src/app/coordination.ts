import type { Coordination } from '@tollgate/coordination/coordination'
import { memoryCoordination } from '@tollgate/coordination/memory-coordination'
import type { Notice } from '@tollgate/coordination/notices'
import type { LinkChange } from '@tollgate/coordination/redis-link'
import type { Clock } from '@tollgate/kit/clock'
import { sha256Hex } from '@tollgate/kit/ids'
import type { Logger } from 'pino'
import type { Config } from '../config/index.ts'

/** Uses Redis if it is configured, otherwise the memory of this process. */
export async function openCoordination(
  { redis, keys }: Pick<Config, 'redis' | 'keys'>,
  { clock, log }: { clock: Clock; log: Logger },
): Promise<Coordination> {
  const onFailure = (error: unknown, notice: Notice): void =>
    log.error({ error, notice }, 'a listener failed to handle a change notice')
  if (redis === undefined) return memoryCoordination({ clock, onFailure })
  // The Redis client is a seventh of all modules of the server, so it is loaded only when it is used.
  const { redisCoordination } = await import('@tollgate/coordination/redis-coordination')
  return redisCoordination({
    url: redis,
    // Gateways with the same CRYPTO_SECRET share one Redis key prefix.
    prefix: `tollgate:${sha256Hex(`coordination ${keys.cipher.toString('hex')}`).slice(0, 12)}:`,
    clock,
    onFailure,
    onChange: (change) => tell(log, change),
  })
}

function tell(log: Logger, change: LinkChange): void {
  if (change.isUp) log.warn('Redis is back: limits and notices are shared again')
  else
    log.error(
      { reason: change.reason },
      'Redis is unreachable: each process applies rate limits on its own, and changes made by other processes arrive within a second',
    )
}
