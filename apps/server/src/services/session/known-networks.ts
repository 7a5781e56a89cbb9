import { createHmac } from 'node:crypto'
import type { Clock } from '@tollgate/kit/clock'
import { NETWORK_KEPT_MS, hasKnownNetwork, noteKnownNetwork } from '@tollgate/store/accounts/known-networks'
import type { Db } from '@tollgate/store/tables/schema'
import { listSessionsOf } from '@tollgate/store/accounts/sessions'
import { limitKey } from '../../edge/client-address.ts'

/** Networks from which an account has signed in: an IPv4 address or an IPv6 /64. */
export interface KnownNetworks {
  /** `userId` 0 stands for an unknown name; it takes as long and returns false. */
  has(userId: number, address: string): Promise<boolean>
  add(userId: number, address: string): Promise<void>
}

export interface KnownNetworksParts {
  readonly store: Db
  readonly clock: Clock
  readonly key: Buffer
}

const NETWORKS_MAX = 64

export function openKnownNetworks({ store, clock, key }: KnownNetworksParts): KnownNetworks {
  const hashOf = (userId: number, address: string) =>
    createHmac('sha256', key)
      .update(`network ${userId} ${limitKey(address)}`)
      .digest('hex')

  /** Covers sessions that started before networks were recorded; the session rows contain the address. */
  async function hasSessionFrom(userId: number, address: string): Promise<boolean> {
    const sessions = await listSessionsOf(store, { userId, nowMs: clock.nowMs() })
    const network = limitKey(address)
    return sessions.some((session) => limitKey(session.address) === network)
  }

  return {
    has: async (userId, address) => {
      const networkHash = hashOf(userId, address)
      const sinceMs = clock.nowMs() - NETWORK_KEPT_MS
      return (
        (await hasKnownNetwork(store, { userId, networkHash, sinceMs })) || hasSessionFrom(userId, address)
      )
    },
    add: (userId, address) =>
      noteKnownNetwork(store, {
        userId,
        networkHash: hashOf(userId, address),
        nowMs: clock.nowMs(),
        keptMax: NETWORKS_MAX,
      }),
  }
}
