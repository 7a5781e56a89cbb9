import type { familyRoutes } from '@tollgate/contract/family'
import type { redemptionRoutes } from '@tollgate/contract/redemption'
import { problem } from '@tollgate/problems/problem'
import { type RemovalCriteria, removeRedemptions } from '@tollgate/store/trade/redemptions'
import type { ChangedBy } from '../change.ts'
import type { Handler } from '../handler.ts'
import type { RedemptionServices } from './services.ts'

export function removeCode(services: RedemptionServices): Handler<typeof redemptionRoutes.remove> {
  return async (call) => {
    const { id } = call.params
    const removed = await remove(services, call, { which: { type: 'one', id }, entityId: id })
    if (removed === 0) throw problem('not_found')
    return null
  }
}

export function removeDisabledCodes(
  services: RedemptionServices,
): Handler<typeof redemptionRoutes.removeDisabled> {
  return (call) => remove(services, call, { which: { type: 'disabled' }, entityId: 'disabled' })
}

export function removeInvalidCodes(
  services: RedemptionServices,
): Handler<typeof familyRoutes.removeInvalidCodes> {
  return (call) => {
    const nowSeconds = Math.floor(services.clock.nowMs() / 1000)
    return remove(services, call, { which: { type: 'invalid', nowSeconds }, entityId: 'invalid' })
  }
}

export function removeCodesByName(
  services: RedemptionServices,
): Handler<typeof redemptionRoutes.removeByName> {
  return (call) => {
    const name = call.query.name.trim()
    if (name === '') throw problem('redemption_name_missing')
    return remove(services, call, { which: { type: 'named', name }, entityId: name })
  }
}

interface Removal {
  readonly which: RemovalCriteria
  readonly entityId: string | number
}

function remove(
  { clock, change }: RedemptionServices,
  by: ChangedBy,
  { which, entityId }: Removal,
): Promise<number> {
  return change(by, {
    action: 'remove',
    entity: 'redemption',
    work: (transaction) => removeRedemptions(transaction, which, clock.nowMs()),
    row: (removed) => (removed === 0 ? undefined : { entityId, after: { removed } }),
  })
}
