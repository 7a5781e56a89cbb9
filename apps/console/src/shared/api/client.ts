import { type Client, createClient } from '@tollgate/contract/client'
import { currentLanguage } from '../i18n/language.ts'
import { provedWhereAsked } from '../prove/prove.ts'
import { paths, readingPaths } from '../routing/paths.ts'
import { sessionUser, signOut } from '../session/session.ts'

/** For the call that proves the password itself; every other goes through `api`. */
export const plainApi = createClient({ baseUrl: '', headers: callHeaders, onUnauthorized: leaveForLogin })

/**
 * The admin API, typed by the route table: `api.call(tokenRoutes.list, { query: { p: 0 } })`. A call that the server
 * answers only soon after a sign-in asks for the password first and is then made once more.
 */
export const api: Client = {
  call: (route, ...input) => provedWhereAsked(() => plainApi.call(route, ...input)),
  callWhole: (route, ...input) => provedWhereAsked(() => plainApi.callWhole(route, ...input)),
  callFile: (route, ...input) => provedWhereAsked(() => plainApi.callFile(route, ...input)),
}

/** What every call of the console carries besides the cookie; the playground's own call sends them too. */
export function callHeaders(): Readonly<Record<string, string>> {
  return {
    'Tollgate-User': String(sessionUser()?.id ?? -1),
    'Accept-Language': currentLanguage(),
    'Cache-Control': 'no-store',
  }
}

/** The session is over: forget it, and where the page needs one, come back here after signing in again. */
export function leaveForLogin(): void {
  const { pathname, search, hash } = globalThis.location
  if (pathname === paths.login) return
  signOut()
  if (readingPaths.has(pathname)) return
  const query = new URLSearchParams({ expired: 'true', returnTo: pathname + search + hash })
  globalThis.location.assign(`${paths.login}?${query}`)
}
