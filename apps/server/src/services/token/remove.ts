import type { tokenRoutes } from '@tollgate/contract/token'
import { problem } from '@tollgate/problems/problem'
import { removeToken } from '@tollgate/store/accounts/tokens'
import type { ChangedBy } from '../change.ts'
import type { Handler } from '../handler.ts'
import type { TokenServices } from './services.ts'

export function removeOwnToken(services: TokenServices): Handler<typeof tokenRoutes.remove> {
  return async (call) => {
    if ((await removeTokens(services, call, [call.params.id])).length === 0) throw problem('not_found')
    return null
  }
}

/** Removes those of the tokens that belong to the caller. */
export function removeOwnTokens(services: TokenServices): Handler<typeof tokenRoutes.removeMany> {
  return async (call) => (await removeTokens(services, call, [...new Set(call.body.ids)])).length
}

export function removeTokens(
  { clock, change }: TokenServices,
  by: ChangedBy,
  ids: readonly number[],
): Promise<readonly number[]> {
  return change(by, {
    action: 'remove',
    entity: 'token',
    work: async (transaction) => {
      const removed: number[] = []
      for (const id of ids)
        if (await removeToken(transaction, { id, ownerId: by.actor.id, nowMs: clock.nowMs() }))
          removed.push(id)
      return removed
    },
    row: (removed) => removed.map((id) => ({ entityId: id, notice: ['tokens', id] })),
  })
}
