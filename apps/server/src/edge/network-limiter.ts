import { isIPv6 } from 'node:net'
import type { LimitDecision, Limiter } from '@tollgate/coordination/limits'
import type { SyncLimiter } from '@tollgate/coordination/memory-limiter'
import { limitKey } from './client-address.ts'

/**
 * One IPv6 customer often has a /48, and with it 65,536 of the networks under which limits count a client. All of
 * them together may do as much as so many clients.
 */
const CLIENTS_OF_WIDE_NETWORK = 16

/** A limit that counts clients by their network, and all clients of a wide network together. */
export interface NetworkLimiter {
  consume(address: string): Promise<LimitDecision>
}

export function createNetworkLimiter(limiter: Limiter, limit: number): NetworkLimiter {
  return {
    consume: async (address) => {
      const decision = await limiter.consume(limitKey(address))
      const wide = findWideKey(address)
      if (!decision.allowed || wide === undefined) return decision
      return limiter.consume(wide, 1, limit * CLIENTS_OF_WIDE_NETWORK)
    },
  }
}

/** The same for code that cannot await. */
export interface SyncNetworkLimiter {
  consume(address: string): LimitDecision
}

export function createSyncNetworkLimiter(limiter: SyncLimiter, limit: number): SyncNetworkLimiter {
  return {
    consume: (address) => {
      const decision = limiter.consume(limitKey(address))
      const wide = findWideKey(address)
      if (!decision.allowed || wide === undefined) return decision
      return limiter.consume(wide, 1, limit * CLIENTS_OF_WIDE_NETWORK)
    },
  }
}

/** The /48 prefix of an IPv6 address; `undefined` for IPv4, whose addresses are scarce. */
function findWideKey(address: string): string | undefined {
  if (!isIPv6(address)) return undefined
  return `${limitKey(address).split(':').slice(0, 3).join(':')}::/48`
}
