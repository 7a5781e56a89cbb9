import type { RateClass } from '@tollgate/contract/route'
import type { Limiter } from '@tollgate/coordination/limits'
import type { NetworkLimiter, SyncNetworkLimiter } from './network-limiter.ts'
import type { Actor } from '../services/handler.ts'
import { requireAllowed } from '../services/require-allowed.ts'

/** A limiter is `undefined` when the operator switched that limit off. */
export interface EdgeLimits {
  readonly api: NetworkLimiter | undefined
  readonly web: NetworkLimiter | undefined
  readonly critical: NetworkLimiter
  readonly reveal: Limiter
  readonly probe: Limiter
  readonly callback: NetworkLimiter
}

/** Counts a request by client address before it is processed further. */
export async function countAddress(
  limits: EdgeLimits,
  rate: RateClass | 'web',
  address: string,
): Promise<void> {
  if (rate === 'callback') return count(limits.callback, address)
  await count(rate === 'web' ? limits.web : limits.api, address)
  if (rate === 'critical') await count(limits.critical, address)
}

/** Counts requests that cost money or show secrets, per user. */
export async function countActor(
  limits: EdgeLimits,
  rate: RateClass,
  actor: Actor | undefined,
): Promise<void> {
  if (!actor || (rate !== 'reveal' && rate !== 'probe')) return
  await count(limits[rate], String(actor.id))
}

/** Counts a request with an unknown API key. */
export function countWrongKey({ wrongKeys }: { wrongKeys: SyncNetworkLimiter }, address: string): void {
  requireAllowed(wrongKeys.consume(address))
}

async function count(limiter: Limiter | NetworkLimiter | undefined, key: string): Promise<void> {
  const decision = await limiter?.consume(key)
  if (decision) requireAllowed(decision)
}
