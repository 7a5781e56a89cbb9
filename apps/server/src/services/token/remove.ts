import type { tokenRoutes } from '@tollgate/contract/token'
import { problem } from '@tollgate/kit/problem'
import { removeToken } from '@tollgate/store/accounts/tokens'
import type { Handler } from '../handler.ts'
import type { TokenServices } from './services.ts'

export function removeOwnToken(services: TokenServices): Handler<typeof tokenRoutes.remove> {
  const { store, clock, notices, audit } = services
  return async ({ actor, params: { id }, address }) => {
    if (!(await removeToken(store, { id, ownerId: actor.id, nowMs: clock.nowMs() }))) {
      throw problem('not_found')
    }
    await audit.write({ actorId: actor.id, action: 'remove', entity: 'token', entityId: id, address })
    await notices.publish('tokens', id)
    return null
  }
}

/** Removes those of the tokens that belong to the caller. */
export function removeOwnTokens(services: TokenServices): Handler<typeof tokenRoutes.removeMany> {
  const { store, clock, notices, audit } = services
  return async ({ actor, body: { ids }, address }) => {
    const removed: number[] = []
    await store.transaction().execute(async (transaction) => {
      for (const id of new Set(ids)) {
        if (!(await removeToken(transaction, { id, ownerId: actor.id, nowMs: clock.nowMs() }))) continue
        const note = { actorId: actor.id, action: 'remove', entity: 'token', entityId: id, address }
        await audit.write(note, transaction)
        removed.push(id)
      }
    })
    for (const id of removed) await notices.publish('tokens', id)
    return removed.length
  }
}
