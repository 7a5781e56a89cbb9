import type { adminUserRoutes } from '@tollgate/contract/admin-user'
import { problem } from '@tollgate/problems/problem'
import type { Handler } from '../handler.ts'
import { createAccount } from '../session/create-account.ts'
import { readUsername, requirePassword } from '../session/register.ts'
import { readDisplayName } from '../user/update-self.ts'
import type { AdminUserServices } from './services.ts'

/**
 * Creates an ordinary user with everything that a new user gets. The creator may promote the user afterwards,
 * if permitted.
 */
export function createUser(services: AdminUserServices): Handler<typeof adminUserRoutes.create> {
  return async (call) => {
    const { body, actor } = call
    if (body.role !== undefined && body.role >= actor.role) throw problem('user_role_grant')
    const username = readUsername(body.username)
    requirePassword(body.password)
    const displayName = body.display_name.trim() === '' ? username : readDisplayName(body.display_name)
    const id = await createAccount(services, {
      username,
      displayName,
      passwordHash: await services.passwords.hash(body.password),
      affCode: '',
      createdBy: call,
    })
    return { id }
  }
}
