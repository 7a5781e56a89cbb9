import type { Backoff, BackoffOptions } from './backoff.ts'
import type { LimitDecision } from './limits.ts'
import { memoryBackoff } from './memory-backoff.ts'
import type { RedisLimiterParts } from './redis-limiter.ts'
import { redisScript } from './redis-link.ts'

/**
 * A backoff shared by all processes. Each process also counts locally, so that it can continue on its own
 * while Redis is down.
 */
export function redisBackoff(options: BackoffOptions, parts: RedisLimiterParts): Backoff {
  const { link, name, clock, isClockShared = false } = parts
  const { free, firstMs, maxMs, forgetMs } = options
  const local = memoryBackoff(options, clock)
  const input = (key: string, values: readonly number[]) => ({
    key: `${link.prefix}backoff:${name}:${key}`,
    values: [...values.map(String), isClockShared ? String(clock.nowMs()) : ''],
  })

  async function attempt(key: string): Promise<LimitDecision> {
    if (!link.isUp) return local.attempt(key)
    let retryAfterMs: number
    try {
      retryAfterMs = Number(await link.run(ATTEMPT, input(key, [free, firstMs, maxMs, forgetMs])))
    } catch {
      // The link has already reported the failure.
      return local.attempt(key)
    }
    if (retryAfterMs > 0) return { allowed: false, retryAfterMs }
    await local.attempt(key)
    return { allowed: true, retryAfterMs: 0 }
  }

  return {
    attempt,
    takeBack: async (key) => {
      await local.takeBack(key)
      if (link.isUp) await link.run(TAKE_BACK, input(key, [])).catch(() => undefined)
    },
    reset: async (key) => {
      await local.reset(key)
      if (link.isUp) await link.run(RESET, input(key, [])).catch(() => undefined)
    },
  }
}

/**
 * Uses the time of the Redis server, so that all processes agree. Returns 0, or the milliseconds until the
 * next attempt.
 */
const ATTEMPT = redisScript(`
local free, first, max, forget, now = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
if not now then
  local time = redis.call('TIME')
  now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
local state = redis.call('HMGET', KEYS[1], 'count', 'ready')
local count, ready = tonumber(state[1]) or 0, tonumber(state[2]) or 0
if now < ready then return ready - now end
count = count + 1
local wait = 0
if count >= free then wait = math.min(max, first * 2 ^ math.min(count - free, 30)) end
redis.call('HSET', KEYS[1], 'count', string.format('%.0f', count), 'ready', string.format('%.0f', now + wait))
redis.call('PEXPIRE', KEYS[1], forget)
return 0
`)

const TAKE_BACK = redisScript(`
local count = tonumber(redis.call('HGET', KEYS[1], 'count')) or 0
if count > 1 then
  redis.call('HSET', KEYS[1], 'count', string.format('%.0f', count - 1), 'ready', '0')
else
  redis.call('DEL', KEYS[1])
end
return 0
`)

const RESET = redisScript(`return redis.call('DEL', KEYS[1])`)
