import type { Clock } from '@tollgate/kit/clock'
import { type CallsOf, type MessageCalls, callsOf } from '@tollgate/kit/message-calls'
import type { Backoff, BackoffOptions } from './backoff.ts'
import type { LimitDecision, Limiter, LimiterOptions } from './limits.ts'
import { memoryBackoff } from './memory-backoff.ts'
import { memoryLimiter } from './memory-limiter.ts'
import { memoryOneTime } from './memory-one-time.ts'
import { memoryTtlCache } from './memory-ttl-cache.ts'
import type { Notice } from './notices.ts'
import type { TtlCache, TtlCacheOptions } from './ttl-cache.ts'

/** Calls from a member process to the hub (the process that spawned it), used when there is no Redis. */
export type HubCalls = {
  'limit.consume': (input: CountInput & { readonly limit: number }) => LimitDecision
  'limit.refund': (input: CountInput) => void
  'backoff.attempt': (input: TryInput) => LimitDecision
  'backoff.takeBack': (input: TryInput) => void
  'backoff.reset': (input: TryInput) => void
  'once.put': (input: {
    readonly key: string
    readonly value: string
    readonly lifetimeMs: number
  }) => boolean
  'once.take': (key: string) => string | undefined
  'shelf.put': (
    input: ShelfInput & {
      readonly key: string
      readonly value: string
      readonly lifetimeMs: number | undefined
    },
  ) => void
  'shelf.remove': (input: ShelfInput & { readonly key: string }) => void
  'shelf.find': (input: ShelfInput & { readonly keys: readonly string[] }) => ReadonlyMap<string, string>
  'shelf.clear': (input: ShelfInput) => number
  'shelf.count': (input: ShelfInput) => number
  /** Resolves when every other process has handled the notice. */
  'notice.publish': (notice: Notice) => void
}

/** Calls from the hub to its members. */
export type MemberCalls = {
  'notice.tell': (notice: Notice) => void
}

interface CountInput {
  readonly name: string
  readonly options: LimiterOptions
  readonly key: string
  readonly cost: number
}

interface TryInput {
  readonly name: string
  readonly options: BackoffOptions
  readonly key: string
}

/** A cache that members share, and its limits, which follow those of the member that asked last. */
interface SharedCache {
  readonly ttlCache: TtlCache
  readonly limits: { entriesMax: number }
}

export interface ShelfInput {
  readonly name: string
  readonly options: TtlCacheOptions
}

export interface Hub {
  /** Adds a member. Returns the function that removes it. */
  serve(calls: MessageCalls): () => void
}

/** Upper bound of the wait for each member, so that a busy process does not delay the writer of a change. */
const NOTICE_MS = 1_000

export function openHub(clock: Clock): Hub {
  const oneTime = memoryOneTime(clock)
  const limiters = new Map<string, Limiter>()
  const backoffs = new Map<string, Backoff>()
  const shelves = new Map<string, SharedCache>()
  const members = new Set<CallsOf<MemberCalls>>()

  function limiterOf({ name, options }: CountInput): Limiter {
    const limiter = limiters.get(name) ?? memoryLimiter(options, clock)
    limiters.set(name, limiter)
    return limiter
  }

  function backoffOf({ name, options }: TryInput): Backoff {
    const backoff = backoffs.get(name) ?? memoryBackoff(options, clock)
    backoffs.set(name, backoff)
    return backoff
  }

  function shelfOf({ name, options }: ShelfInput): TtlCache {
    const known = shelves.get(name)
    if (known !== undefined) {
      known.limits.entriesMax = options.entriesMax
      return known.ttlCache
    }
    const limits = { ...options }
    const ttlCache = memoryTtlCache(limits, clock)
    shelves.set(name, { ttlCache, limits })
    return ttlCache
  }

  async function tellOthers(notifier: CallsOf<MemberCalls>, notice: Notice): Promise<void> {
    const others = [...members].filter((member) => member !== notifier)
    await Promise.all(others.map((member) => atMost(NOTICE_MS, member.call('notice.tell', notice))))
  }

  return {
    serve: (calls) => {
      const member = callsOf<MemberCalls>(calls)
      const asked = callsOf<HubCalls>(calls)
      asked.serve('limit.consume', (input) => limiterOf(input).consume(input.key, input.cost, input.limit))
      asked.serve('limit.refund', (input) => limiterOf(input).refund(input.key, input.cost))
      asked.serve('backoff.attempt', (input) => backoffOf(input).attempt(input.key))
      asked.serve('backoff.takeBack', (input) => backoffOf(input).takeBack(input.key))
      asked.serve('backoff.reset', (input) => backoffOf(input).reset(input.key))
      asked.serve('once.put', ({ key, value, lifetimeMs }) => oneTime.put(key, value, lifetimeMs))
      asked.serve('once.take', (key) => oneTime.take(key))
      asked.serve('shelf.put', (input) => shelfOf(input).put(input.key, input.value, input.lifetimeMs))
      asked.serve('shelf.remove', (input) => shelfOf(input).remove(input.key))
      asked.serve('shelf.clear', (input) => shelfOf(input).clear())
      asked.serve('shelf.count', (input) => shelfOf(input).count())
      asked.serve('shelf.find', (input) => shelfOf(input).find(input.keys))
      asked.serve('notice.publish', (notice) => tellOthers(member, notice))
      members.add(member)
      return () => void members.delete(member)
    },
  }
}

/** Never rejects: a process that has ended needs no notice. */
async function atMost(ms: number, reported: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(() => late.resolve(), ms)
  await Promise.race([reported.catch(() => undefined), late.promise])
  clearTimeout(timer)
}
