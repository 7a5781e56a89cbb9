import { type Clock, systemClock } from '@tollgate/kit/clock'
import { type CallsOf, type MessageCalls, callsOf } from '@tollgate/kit/message-calls'
import type { Coordination } from './coordination.ts'
import type { HubCalls, MemberCalls, ShelfInput } from './hub.ts'
import { type NoticesOptions, memoryNotices } from './memory-notices.ts'
import { nearTtlCache } from './near-ttl-cache.ts'
import type { TtlCache } from './ttl-cache.ts'

/**
 * Coordination for several processes on one machine: they share state in the memory of the process that
 * spawned them (the hub).
 */
export function hubCoordination({
  calls,
  onFailure,
  clock = systemClock,
}: NoticesOptions & { calls: MessageCalls; clock?: Clock }): Coordination {
  const hub = callsOf<HubCalls>(calls)
  const local = memoryNotices({ onFailure })
  callsOf<MemberCalls>(calls).serve('notice.tell', (notice) => local.tell(notice))
  return {
    notices: {
      ...local,
      publish: async (notice) => {
        // The call fails only when the hub is gone. Then this process is about to end, and no other process
        // is left to notify.
        await Promise.all([local.tell(notice), hub.call('notice.publish', notice).catch(() => undefined)])
      },
    },
    oneTime: {
      put: (key, value, lifetimeMs) => hub.call('once.put', { key, value, lifetimeMs }),
      take: (key) => hub.call('once.take', key),
    },
    limiter: (name, options) => ({
      consume: (key, cost = 1, limit = options.limit) =>
        hub.call('limit.consume', { name, options, key, cost, limit }),
      refund: (key, cost = 1) => hub.call('limit.refund', { name, options, key, cost }),
    }),
    backoff: (name, options) => ({
      attempt: (key) => hub.call('backoff.attempt', { name, options, key }),
      takeBack: (key) => hub.call('backoff.takeBack', { name, options, key }),
      reset: (key) => hub.call('backoff.reset', { name, options, key }),
    }),
    ttlCache: (name, options) => nearTtlCache(hubTtlCache(hub, { name, options }), options, clock),
    health: () => ({ isShared: true, losses: 0 }),
    close: async () => undefined,
  }
}

function hubTtlCache(hub: CallsOf<HubCalls>, cache: ShelfInput): TtlCache {
  const find = (keys: readonly string[]) =>
    hub.call('shelf.find', { ...cache, keys }).catch((): ReadonlyMap<string, string> => new Map())
  return {
    put: (key, value, lifetimeMs) =>
      void hub.call('shelf.put', { ...cache, key, value, lifetimeMs }).catch(() => undefined),
    remove: (key) => void hub.call('shelf.remove', { ...cache, key }).catch(() => undefined),
    get: async (key) => (await find([key])).get(key),
    find,
    clear: () => hub.call('shelf.clear', cache).catch(() => 0),
    count: () => hub.call('shelf.count', cache).catch(() => 0),
  }
}
