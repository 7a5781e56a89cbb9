import type { accountRoutes } from '@tollgate/contract/account'
import { setAccessTokenHash } from '@tollgate/store/accounts/user-changes'
import type { Handler } from '../handler.ts'
import type { AccountServices } from './services.ts'

/** A caller who uses the token may also revoke it. */
export function removeAccessToken(
  services: AccountServices,
): Handler<typeof accountRoutes.removeAccessToken> {
  return async (call) => {
    const { id } = call.actor
    await services.change(call, {
      action: 'remove',
      entity: 'access-token',
      work: (transaction) => setAccessTokenHash(transaction, { id, hash: null }),
      row: { entityId: id },
    })
    return null
  }
}
