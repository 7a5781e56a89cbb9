import type { Coordination } from '@tollgate/coordination/coordination'
import { memoryCoordination } from '@tollgate/coordination/memory-coordination'
import type { Notice } from '@tollgate/coordination/notices'
import { redisCoordination } from '@tollgate/coordination/redis-coordination'
import type { LinkChange } from '@tollgate/coordination/redis-link'
import type { Clock } from '@tollgate/kit/clock'
import { sha256Hex } from '@tollgate/kit/ids'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'

/** With Redis when there is one to be used, else within this process. */
export async function openCoordination(
  { redis, keys }: Pick<Config, 'redis' | 'keys'>,
  { clock, log }: { clock: Clock; log: Logger },
): Promise<Coordination> {
  const onFailure = (error: unknown, notice: Notice): void =>
    log.error({ error, notice }, 'a notice was not taken')
  if (redis === undefined) return memoryCoordination({ clock, onFailure })
  return redisCoordination({
    url: redis,
    // Processes with the same secrets belong together.
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
      'Redis is away: each process limits by itself, and changes made elsewhere are seen within a second',
    )
}
