import { type Buckets, bucketsText } from '@tollgate/kit/buckets'
import type { Clock } from '@tollgate/kit/clock'
import { addKeyUses, channelKeyHash } from '@tollgate/store/channels/keys'
import { insertTraffic, removeTraffic } from '@tollgate/store/channels/traffic'
import type { Db } from '@tollgate/store/tables/schema'
import type { Job } from './job.ts'

export interface TrafficSources {
  readonly traffic: {
    take(): readonly {
      readonly channelId: number
      readonly succeeded: number
      readonly failed: number
      readonly firstBytes: Buckets
      readonly errors: readonly object[]
    }[]
  }
  readonly health: {
    takeUses(now: number): readonly { channelId: number; key: string; uses: number; agoMs: number }[]
  }
}

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const KEPT_MS = 24 * HOUR_MS

/** Writes this process's traffic per channel and key to the database, so that every process can show it. */
export function noteTrafficJob(parts: TrafficSources & { readonly db: Db; readonly clock: Clock }): Job {
  const { db, clock, traffic, health } = parts
  return {
    name: 'note-traffic',
    everyMs: MINUTE_MS,
    runs: 'everywhere',
    run: async () => {
      const nowMs = clock.nowMs()
      const rows = traffic.take().map((seen) => ({
        channel_id: seen.channelId,
        at_ms: nowMs,
        succeeded: seen.succeeded,
        failed: seen.failed,
        first_bytes: bucketsText(seen.firstBytes),
        errors: seen.errors.length === 0 ? '' : JSON.stringify(seen.errors),
      }))
      await insertTraffic(db, rows)
      const uses = health.takeUses(clock.monotonicMs()).map(({ channelId, key, uses: count, agoMs }) => ({
        channelId,
        hash: channelKeyHash(channelId, key),
        uses: count,
        lastUsedMs: Math.round(nowMs - agoMs),
      }))
      await addKeyUses(db, uses)
      return { channels: rows.length, keys: uses.length }
    },
  }
}

export function pruneTrafficJob({ db, clock }: { db: Db; clock: Clock }): Job {
  return {
    name: 'prune-traffic',
    everyMs: HOUR_MS,
    runs: 'once',
    run: async () => ({ removed: await removeTraffic(db, clock.nowMs() - KEPT_MS) }),
  }
}
