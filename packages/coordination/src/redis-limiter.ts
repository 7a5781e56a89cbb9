import type { Clock } from '@tollgate/kit/clock'
import type { LimitDecision, Limiter, LimiterOptions } from './limits.ts'
import { memoryLimiter } from './memory-limiter.ts'
import { type RedisLink, redisScript } from './redis-link.ts'
import { SLICES } from './sliding-count.ts'

export interface RedisLimiterParts {
  readonly link: RedisLink
  /** Name of the limit; keys of different names do not collide. */
  readonly name: string
  readonly clock: Clock
  /** Tests only: use `clock` instead of the time of the Redis server. */
  readonly isClockShared?: boolean
}

/**
 * A limiter shared by all processes. Each process also counts locally what it allows. While Redis is down it
 * limits on its own with these counts, so that the switch does not grant callers a fresh window.
 */
export function redisLimiter(options: LimiterOptions, parts: RedisLimiterParts): Limiter {
  const { link, name, clock, isClockShared = false } = parts
  const local = memoryLimiter(options, clock)
  const input = (key: string, values: readonly number[]) => ({
    key: `${link.prefix}limit:${name}:${key}`,
    values: [...values.map(String), isClockShared ? String(clock.nowMs()) : ''],
  })

  async function consume(key: string, cost = 1, limit = options.limit): Promise<LimitDecision> {
    if (!link.isUp) return local.consume(key, cost, limit)
    let retryAfterMs: number
    try {
      retryAfterMs = Number(await link.run(CONSUME, input(key, [limit, options.windowMs, cost])))
    } catch {
      // The link has already reported the failure.
      return local.consume(key, cost, limit)
    }
    if (retryAfterMs > 0) return { allowed: false, retryAfterMs }
    await local.consume(key, cost, limit)
    return { allowed: true, retryAfterMs: 0 }
  }

  async function refund(key: string, cost = 1): Promise<void> {
    await local.refund(key, cost)
    if (link.isUp) await link.run(REFUND, input(key, [cost])).catch(() => undefined)
  }

  return { consume, refund }
}

/**
 * Stores the slices of `SlidingCount` as fields of a hash. Uses the time of the Redis server, so that all
 * processes agree. Returns 0, or the milliseconds until the rejected cost fits.
 */
const CONSUME = redisScript(`
local limit, window, cost, now = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
if not now then
  local time = redis.call('TIME')
  now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
local latest = math.floor(now * ${SLICES} / window)
local total, slices = 0, {}
local fields = redis.call('HGETALL', KEYS[1])
for i = 1, #fields, 2 do
  local index, count = tonumber(fields[i]), tonumber(fields[i + 1])
  if index <= latest - ${SLICES} then
    redis.call('HDEL', KEYS[1], fields[i])
  else
    total = total + count
    slices[#slices + 1] = { index, count }
  end
end
if total + cost <= limit then
  redis.call('HINCRBY', KEYS[1], string.format('%.0f', latest), cost)
  redis.call('PEXPIRE', KEYS[1], window + math.ceil(window / ${SLICES}))
  return 0
end
table.sort(slices, function (a, b) return a[1] < b[1] end)
for _, slice in ipairs(slices) do
  total = total - slice[2]
  if total <= limit - cost then
    return math.max(1, math.ceil((slice[1] + ${SLICES}) * window / ${SLICES} - now))
  end
end
return window
`)

/** Uncounts the most recent units. */
const REFUND = redisScript(`
local left = tonumber(ARGV[1])
local fields, slices = redis.call('HGETALL', KEYS[1]), {}
for i = 1, #fields, 2 do slices[#slices + 1] = { tonumber(fields[i]), tonumber(fields[i + 1]), fields[i] } end
table.sort(slices, function (a, b) return a[1] > b[1] end)
for _, slice in ipairs(slices) do
  if left <= 0 then break end
  local taken = math.min(left, slice[2])
  left = left - taken
  if taken == slice[2] then
    redis.call('HDEL', KEYS[1], slice[3])
  else
    redis.call('HINCRBY', KEYS[1], slice[3], -taken)
  end
end
return 0
`)
