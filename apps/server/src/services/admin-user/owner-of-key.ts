import type { adminUserRoutes } from '@tollgate/contract/admin-user'
import { sha256Hex } from '@tollgate/kit/ids'
import { findKeyOwner } from '@tollgate/store/accounts/tokens'
import type { Handler } from '../handler.ts'
import { searched } from '../searches.ts'
import { bareKey } from '../token/key.ts'
import type { AdminUserServices } from './services.ts'

/** Finds the owner of an API key. Only the hash is compared, so a part of a key finds nothing. */
export function findOwnerOfKey(services: AdminUserServices): Handler<typeof adminUserRoutes.ownerOfKey> {
  return async ({ body, actor }) => {
    const key = bareKey(body.key.trim())
    if (key === undefined) return null
    const owner = await searched(services, { actorId: actor.id, query: { token: key } }, ({ store }) =>
      findKeyOwner(store, sha256Hex(key)),
    )
    return owner ?? null
  }
}
