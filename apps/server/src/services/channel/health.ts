import type { ChannelHealth, channelInsightRoutes } from '@tollgate/contract/channel-insight'
import { addBuckets, parseBuckets, quantileMs } from '@tollgate/kit/buckets'
import { listTraffic } from '@tollgate/store/channels/traffic'
import type { Handler } from '../handler.ts'
import type { Traffic } from '../../ports/channel-insight.ts'
import type { ChannelServices } from './services.ts'

const SHOWN_MS = 3_600_000
const SLICES = 12
const ERRORS_SHOWN = 5

/** Health of the last hour: what all processes have stored, plus what this process has not stored yet. */
export function channelHealth(services: ChannelServices): Handler<typeof channelInsightRoutes.health> {
  const { store, clock, routing } = services
  return async ({ query: { ids } }) => {
    if (ids.length === 0) return []
    const nowMs = clock.nowMs()
    const rows = await listTraffic(store, { channelIds: ids, sinceMs: nowMs - SHOWN_MS })
    const written = rows.map((row) => ({
      channelId: row.channel_id,
      atMs: row.at_ms,
      succeeded: row.succeeded,
      failed: row.failed,
      firstBytes: parseBuckets(row.first_bytes),
      errors: errorsOf(row.errors),
    }))
    const pending = routing.traffic().map((traffic) => ({ ...traffic, atMs: nowMs }))
    const seen = Map.groupBy([...written, ...pending], ({ channelId }) => channelId)
    return ids.map((id) => healthOf(id, seen.get(id) ?? [], { nowMs, isResting: routing.isResting(id) }))
  }
}

type Seen = Traffic & { readonly atMs: number }

function healthOf(
  id: number,
  seen: readonly Seen[],
  { nowMs, isResting }: { nowMs: number; isResting: boolean },
): ChannelHealth {
  const times = new Map<number, number>()
  for (const { firstBytes } of seen) addBuckets(times, firstBytes)
  const p50 = quantileMs(times, 0.5)
  const p95 = quantileMs(times, 0.95)
  const errors = seen.flatMap((each) => each.errors).sort((left, right) => right.at_ms - left.at_ms)
  return {
    channel_id: id,
    succeeded: sum(seen, 'succeeded'),
    failed: sum(seen, 'failed'),
    first_byte_p50: p50,
    first_byte_p95: p95,
    slices: Array.from({ length: SLICES }, (_, place) => {
      const inSlice = seen.filter(({ atMs }) => sliceOf(nowMs - atMs) === SLICES - 1 - place)
      return { succeeded: sum(inSlice, 'succeeded'), failed: sum(inSlice, 'failed') }
    }),
    errors: errors.slice(0, ERRORS_SHOWN).map(({ at_ms: atMs, status, code, detail }) => ({
      time: Math.floor(atMs / 1000),
      status,
      code,
      detail,
    })),
    is_resting: isResting,
  }
}

function sum(seen: readonly Seen[], figure: 'succeeded' | 'failed'): number {
  return seen.reduce((total, each) => total + each[figure], 0)
}

function sliceOf(agoMs: number): number {
  return Math.min(SLICES - 1, Math.floor((agoMs / SHOWN_MS) * SLICES))
}

function errorsOf(text: string): Traffic['errors'] {
  return text === '' ? [] : JSON.parse(text)
}
