import { adminUserRoutes } from '@tollgate/contract/admin-user'
import { api } from '../../shared/api/client.ts'

/**
 * Finds the user who owns the token with this full key; `null` if no token has it. It is in a file of its own
 * because the palette needs it on every page.
 */
export function findKeyOwner(key: string, signal?: AbortSignal) {
  return api.call(adminUserRoutes.ownerOfKey, { body: { key }, signal })
}
