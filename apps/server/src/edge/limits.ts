import type { RateClass } from '@tollgate/contract/route'
import type { Limiter } from '@tollgate/coordination/limits'
import type { SyncLimiter } from '@tollgate/coordination/memory-limiter'
import { limitKey } from './client-address.ts'
import type { Actor } from '../services/handler.ts'
import { requireAllowed } from '../services/require-allowed.ts'

/** A limiter is `undefined` when the operator switched that limit off. */
export interface EdgeLimits {
  readonly api: Limiter | undefined
  readonly web: Limiter | undefined
  readonly critical: Limiter
  readonly reveal: Limiter
  readonly probe: Limiter
  readonly callback: Limiter
}

/** Counts a request by client address before it is processed further. */
export async function countAddress(
  limits: EdgeLimits,
  rate: RateClass | 'web',
  address: string,
): Promise<void> {
  const key = limitKey(address)
  if (rate === 'callback') return count(limits.callback, key)
  await count(rate === 'web' ? limits.web : limits.api, key)
  if (rate === 'critical') await count(limits.critical, key)
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
export function countWrongKey({ wrongKeys }: { wrongKeys: SyncLimiter }, address: string): void {
  requireAllowed(wrongKeys.consume(limitKey(address)))
}

async function count(limiter: Limiter | undefined, key: string): Promise<void> {
  const decision = await limiter?.consume(key)
  if (decision) requireAllowed(decision)
}
