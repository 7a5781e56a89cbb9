import { randomUUID } from 'node:crypto'
import type { Backoff, BackoffOptions } from '@tollgate/coordination/backoff'
import type { Coordination } from '@tollgate/coordination/coordination'
import { type Hub, openHub } from '@tollgate/coordination/hub'
import { hubCoordination } from '@tollgate/coordination/hub-coordination'
import type { Limiter, LimiterOptions } from '@tollgate/coordination/limits'
import { memoryBackoff } from '@tollgate/coordination/memory-backoff'
import { memoryLimiter } from '@tollgate/coordination/memory-limiter'
import { memoryOneTime } from '@tollgate/coordination/memory-one-time'
import { memoryTtlCache } from '@tollgate/coordination/memory-ttl-cache'
import type { OneTime } from '@tollgate/coordination/one-time'
import { redisBackoff } from '@tollgate/coordination/redis-backoff'
import { redisLimiter } from '@tollgate/coordination/redis-limiter'
import { type RedisLink, openRedisLink, redisScript } from '@tollgate/coordination/redis-link'
import { redisOneTime } from '@tollgate/coordination/redis-one-time'
import { redisTtlCache } from '@tollgate/coordination/redis-ttl-cache'
import type { TtlCache, TtlCacheOptions } from '@tollgate/coordination/ttl-cache'
import type { Clock } from '@tollgate/kit/clock'
import { type MessageCalls, messageCalls } from '@tollgate/kit/message-calls'
import { Secret } from '@tollgate/kit/secret'
import { answeringRedis } from '@tollgate/testkit/redis'

/**
 * Factories for one implementation of the coordination interfaces, so that the same tests run against all.
 */
export interface Implementation {
  readonly label: string
  limiter(options: LimiterOptions, clock: Clock): Limiter
  backoff(options: BackoffOptions, clock: Clock): Backoff
  oneTime(clock: Clock): OneTime
  ttlCache(options: TtlCacheOptions, clock: Clock): TtlCache
  /**
   * True when expiry follows the test clock. A server expires values by its own clock, so tests have to
   * sleep.
   */
  readonly movesClock: boolean
  close(): Promise<void>
}

export const redis = await answeringRedis()

export async function implementations(): Promise<readonly Implementation[]> {
  const all = [memory(), throughHub()]
  if (redis) all.push(overRedis(await openTestLink(redis.url), redis.url))
  return all
}

function memory(): Implementation {
  return {
    label: 'memory',
    limiter: memoryLimiter,
    backoff: memoryBackoff,
    oneTime: memoryOneTime,
    ttlCache: memoryTtlCache,
    movesClock: true,
    close: async () => undefined,
  }
}

function throughHub(): Implementation {
  return {
    label: 'a hub',
    limiter: (options, clock) => memberOf(clock).limiter('test', options),
    backoff: (options, clock) => memberOf(clock).backoff('test', options),
    oneTime: (clock) => memberOf(clock).oneTime,
    ttlCache: (options, clock) => memberOf(clock).ttlCache('test', options),
    movesClock: true,
    close: async () => undefined,
  }
}

function memberOf(clock: Clock): Coordination {
  return hubCoordination({ calls: joinHub(openHub(clock)).near, onFailure: fail, clock })
}

function fail(error: unknown): never {
  throw error
}

/** The two ends of the channel between a member process and the hub, connected in memory. */
export function joinHub(hub: Hub): { near: MessageCalls; leave: () => void } {
  const errors = { encode: String, decode: (wire: unknown) => new Error(String(wire)) }
  const near = messageCalls({ post: (message) => far.receive(structuredClone(message)), errors })
  const far: MessageCalls = messageCalls({
    post: (message) => near.receive(structuredClone(message)),
    errors,
  })
  return { near, leave: hub.serve(far) }
}

function overRedis(link: RedisLink, url: string): Implementation {
  return {
    label: 'Redis',
    limiter: (options, clock) =>
      redisLimiter(options, { link, name: randomUUID(), clock, isClockShared: true }),
    backoff: (options, clock) =>
      redisBackoff(options, { link, name: randomUUID(), clock, isClockShared: true }),
    oneTime: (clock) => redisOneTime(link, clock),
    ttlCache: (options, clock) => redisTtlCache(options, { link, name: randomUUID(), clock }),
    movesClock: false,
    close: async () => {
      link.close()
      await removeKeys(url, link.prefix)
    },
  }
}

export async function removeKeys(url: string, prefix: string): Promise<void> {
  const link = await openTestLink(url, { prefix })
  const keys = "for _, key in ipairs(redis.call('KEYS', KEYS[1])) do redis.call('DEL', key) end"
  await link.run(redisScript(keys), { key: `${prefix}*`, values: [] })
  link.close()
}

/** Uses a random key prefix unless one is given. */
export function openTestLink(
  url: string,
  options: { prefix?: string; changes?: string[] } = {},
): Promise<RedisLink> {
  const { prefix = `tollgate-test:${randomUUID()}:`, changes = [] } = options
  const onChange = (change: { isUp: boolean }) => void changes.push(change.isUp ? 'up' : 'away')
  return openRedisLink({ url: new Secret(url), prefix, onChange })
}
