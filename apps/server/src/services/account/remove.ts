import type { accountRoutes } from '@tollgate/contract/account'
import { USER_ROLE } from '@tollgate/kit/codes'
import { problem } from '@tollgate/problems/problem'
import { updateManagedUser } from '@tollgate/store/accounts/managed-users'
import { removeSessionsOf } from '@tollgate/store/accounts/sessions'
import { usernameKey } from '@tollgate/store/accounts/user-normalization'
import { findUser } from '@tollgate/store/accounts/users'
import type { Handler } from '../handler.ts'
import type { AccountServices } from './services.ts'

/**
 * Deactivates the caller's account: sessions, access token and API tokens end at once; log and ledger are
 * kept.
 */
export function removeOwnAccount(services: AccountServices): Handler<typeof accountRoutes.remove> {
  return async ({ actor, body, address, session }) => {
    if (actor.role >= USER_ROLE.root) throw problem('user_root_delete')
    if (body.username !== undefined && usernameKey(body.username.trim()) !== usernameKey(actor.username))
      throw problem('account_name_mismatch')
    await deactivate(services, { id: actor.id, address })
    await session.end()
    return null
  }
}

async function deactivate(
  services: AccountServices,
  { id, address }: { id: number; address: string },
): Promise<void> {
  const { store, clock } = services
  const user = await findUser(store, id)
  if (!user) throw problem('user_gone')
  const { role, status } = user
  const change = { deleted_ms: clock.nowMs(), access_token_hash: null }
  const by = { actor: { id }, address }
  await services.change(by, {
    action: 'delete',
    entity: 'user',
    work: async (transaction) => {
      if (!(await updateManagedUser(transaction, { id, seen: { role, status }, change })))
        throw problem('user_changed')
      await removeSessionsOf(transaction, id)
    },
    row: { entityId: id, before: { username: user.username }, notice: ['users', id] },
  })
}
