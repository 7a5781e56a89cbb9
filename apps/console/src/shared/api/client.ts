import { createClient } from '@tollgate/contract/client'
import { currentLanguage } from '../i18n/language.ts'
import { sessionUser, signOut } from '../session/session.ts'

const LOGIN_PATH = '/login'

/** The admin API, typed by the route table: `api.call(tokenRoutes.list, { query: { p: 0 } })`. */
export const api = createClient({ baseUrl: '', headers: callHeaders, onUnauthorized: leaveForLogin })

/** What every call of the console carries besides the cookie; the playground's own call sends them too. */
export function callHeaders(): Readonly<Record<string, string>> {
  return {
    'Tollgate-User': String(sessionUser()?.id ?? -1),
    'Accept-Language': currentLanguage(),
    'Cache-Control': 'no-store',
  }
}

/** The session is over: forget it, and come back here after signing in again. */
export function leaveForLogin(): void {
  const { pathname, search } = globalThis.location
  if (pathname === LOGIN_PATH) return
  signOut()
  const query = new URLSearchParams({ expired: 'true', returnTo: pathname + search })
  globalThis.location.assign(`${LOGIN_PATH}?${query}`)
}
