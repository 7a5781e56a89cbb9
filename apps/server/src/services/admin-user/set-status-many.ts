import type { adminUserRoutes } from '@tollgate/contract/admin-user'
import type { BatchOutcome } from '@tollgate/contract/batch'
import { USER_STATUS } from '@tollgate/kit/codes'
import { Problem } from '@tollgate/problems/problem'
import { findManagedUser } from '@tollgate/store/accounts/managed-users'
import type { Call, Handler } from '../handler.ts'
import { perform } from './manage.ts'
import type { AdminUserServices } from './services.ts'

type SetStatus = typeof adminUserRoutes.setStatusMany
type Refused = BatchOutcome['refused'][number]

/**
 * Users are handled one by one: those whom the caller may not change are skipped, and the others are changed.
 */
export function setStatusOfUsers(services: AdminUserServices): Handler<SetStatus> {
  return async (call) => {
    const ids = [...new Set(call.body.ids)]
    const refused: Refused[] = []
    for (const id of ids) {
      const refusal = await setStatus(services, id, call)
      if (refusal !== undefined) refused.push(refusal)
    }
    return { changed: ids.length - refused.length, refused }
  }
}

/** Returns why the user was not changed, or `undefined` if the change succeeded. */
async function setStatus(
  services: AdminUserServices,
  id: number,
  { actor, body, address, language }: Call<SetStatus>,
): Promise<Refused | undefined> {
  const action = body.status === USER_STATUS.enabled ? 'enable' : 'disable'
  try {
    await perform(services, { id, action, actor, address })
    return undefined
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const name = (await findManagedUser(services.store, id))?.username ?? ''
    return { id, name, reason: error.textIn(language) }
  }
}
