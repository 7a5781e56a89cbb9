import type { familyRoutes } from '@tollgate/contract/family'
import type { redemptionRoutes } from '@tollgate/contract/redemption'
import { problem } from '@tollgate/kit/problem'
import { type RemovalCriteria, removeRedemptions } from '@tollgate/store/trade/redemptions'
import type { Actor, Handler } from '../handler.ts'
import type { RedemptionServices } from './services.ts'

export function removeCode(services: RedemptionServices): Handler<typeof redemptionRoutes.remove> {
  return async ({ params: { id }, actor, address }) => {
    const removed = await remove(services, { which: { type: 'one', id }, entityId: id, actor, address })
    if (removed === 0) throw problem('not_found')
    return null
  }
}

export function removeDisabledCodes(
  services: RedemptionServices,
): Handler<typeof redemptionRoutes.removeDisabled> {
  return ({ actor, address }) =>
    remove(services, { which: { type: 'disabled' }, entityId: 'disabled', actor, address })
}

export function removeInvalidCodes(
  services: RedemptionServices,
): Handler<typeof familyRoutes.removeInvalidCodes> {
  return ({ actor, address }) => {
    const nowSeconds = Math.floor(services.clock.nowMs() / 1000)
    return remove(services, { which: { type: 'invalid', nowSeconds }, entityId: 'invalid', actor, address })
  }
}

export function removeCodesByName(
  services: RedemptionServices,
): Handler<typeof redemptionRoutes.removeByName> {
  return ({ query, actor, address }) => {
    const name = query.name.trim()
    if (name === '') throw problem('redemption_name_missing')
    return remove(services, { which: { type: 'named', name }, entityId: name, actor, address })
  }
}

interface Removal {
  readonly which: RemovalCriteria
  readonly entityId: string | number
  readonly actor: Actor
  readonly address: string
}

function remove({ store, clock, audit }: RedemptionServices, removal: Removal): Promise<number> {
  const { which, entityId, actor, address } = removal
  return store.transaction().execute(async (transaction) => {
    const removed = await removeRedemptions(transaction, which, clock.nowMs())
    const note = { actorId: actor.id, action: 'remove', entity: 'redemption', entityId, address }
    if (removed > 0) await audit.write({ ...note, after: { removed } }, transaction)
    return removed
  })
}
