import { adminUserRoutes } from '@tollgate/contract/admin-user'
import { api } from '../../shared/api/client.ts'

/** Whose token a whole key is; `null` when no token has it. Apart from other calls: the palette has it on every page. */
export function findKeyOwner(key: string, signal?: AbortSignal) {
  return api.call(adminUserRoutes.ownerOfKey, { body: { key }, ...(signal && { signal }) })
}
