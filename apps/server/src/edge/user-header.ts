import type { IncomingHttpHeaders } from 'node:http'
import { problem } from '@tollgate/kit/problem'
import { FAMILY_USER_HEADERS } from '@tollgate/kit/request-language'
import type { UserHeader } from '../services/handler.ts'

const OWN = 'tollgate-user'

export function userHeaderKind(headers: IncomingHttpHeaders): UserHeader | undefined {
  if (headers[OWN] !== undefined) return 'own'
  return FAMILY_USER_HEADERS.some((name) => headers[name] !== undefined) ? 'family' : undefined
}

/** The user a caller names; `undefined` when they name nobody, NaN when it is no user id. */
export function namedUser(headers: IncomingHttpHeaders): number | undefined {
  const value = [OWN, ...FAMILY_USER_HEADERS].map((name) => headers[name]).find((one) => one !== undefined)
  if (value === undefined) return undefined
  return /^-?\d{1,15}$/.test(String(value)) ? Number(value) : Number.NaN
}

/** Another site can make a browser send its cookie, but not this header. */
export function requireUserHeader(headers: IncomingHttpHeaders, userId: number): void {
  if (namedUser(headers) === undefined) throw problem('user_header_missing')
  refuseOtherUser(headers, userId)
}

/** For callers who need not name themselves: a header that names somebody else is still a mistake. */
export function refuseOtherUser(headers: IncomingHttpHeaders, userId: number): void {
  const named = namedUser(headers)
  if (named === undefined || named === userId) return
  throw problem(Number.isNaN(named) ? 'user_header_invalid' : 'user_header_mismatch')
}
