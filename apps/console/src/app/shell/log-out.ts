import { sessionRoutes } from '@tollgate/contract/session'
import { api } from '../../shared/api/client.ts'
import { failureText } from '../../shared/api/failure.ts'
import { notifyFailure } from '../../shared/notify/notify.ts'
import { paths } from '../../shared/routing/paths.ts'
import { signOut } from '../../shared/session/session.ts'

/**
 * Ends the session on the server and in the browser, then opens the sign-in page with a full page load, so
 * that nothing of this user stays in memory.
 */
export async function logOut(): Promise<void> {
  try {
    await api.call(sessionRoutes.logout)
  } catch (error) {
    notifyFailure(failureText(error))
    return
  }
  signOut()
  globalThis.location.assign(paths.login)
}
