import type { sessionRoutes } from '@tollgate/contract/session'
import type { Handler } from '../handler.ts'

/** Ends the session on the server too, not only in the browser. */
export function logout(): Handler<typeof sessionRoutes.logout> {
  return async ({ session }) => {
    await session.end()
    return null
  }
}
