import { type Client, createClient } from '@tollgate/contract/client'
import { currentLanguage } from '../i18n/language.ts'
import { withReauthentication } from '../reauthenticate/prove.ts'
import { paths, publicPaths } from '../routing/paths.ts'
import { sessionUser, signOut } from '../session/session.ts'

/** Used only by the request that confirms the password; all others go through `api`. */
export const plainApi = createClient({ baseUrl: '', headers: callHeaders, onUnauthorized: redirectToLogin })

/**
 * The admin API, typed by the route table: `api.call(tokenRoutes.list, { query: { p: 0 } })`. If the server
 * requires a recent sign-in for a call, the user is asked for the password and the call is then sent again.
 */
export const api: Client = {
  call: (route, ...input) => withReauthentication(() => plainApi.call(route, ...input)),
  callWhole: (route, ...input) => withReauthentication(() => plainApi.callWhole(route, ...input)),
  callFile: (route, ...input) => withReauthentication(() => plainApi.callFile(route, ...input)),
}

/**
 * Headers that every call of the console sends besides the cookie; the playground's own requests send them
 * too.
 */
export function callHeaders(): Readonly<Record<string, string>> {
  return {
    'Tollgate-User': String(sessionUser()?.id ?? -1),
    'Accept-Language': currentLanguage(),
    'Cache-Control': 'no-store',
  }
}

/**
 * Handles an expired session: signs out and, if the page requires a sign-in, opens the login page with the
 * current page as return address.
 */
export function redirectToLogin(): void {
  const { pathname, search, hash } = globalThis.location
  if (pathname === paths.login) return
  signOut()
  if (publicPaths.has(pathname)) return
  const query = new URLSearchParams({ expired: 'true', returnTo: pathname + search + hash })
  globalThis.location.assign(`${paths.login}?${query}`)
}
