import { type adminUserRoutes, USER_STATUS } from '@tollgate/contract/admin-user'
import type { BatchOutcome } from '@tollgate/contract/batch'
import { Problem } from '@tollgate/kit/problem'
import { findManagedUser } from '@tollgate/store/managed-users'
import type { Call, Handler } from '../handler.ts'
import { perform } from './manage.ts'
import type { AdminUserServices } from './services.ts'

type SetStatus = typeof adminUserRoutes.setStatusMany
type Refused = BatchOutcome['refused'][number]

/** Each user for themselves: those the caller may not change stay as they are, and the others are changed all the same. */
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

/** Why it was not changed; `undefined` when it was. */
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
