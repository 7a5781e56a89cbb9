import type { IncomingHttpHeaders } from 'node:http'
import { problem } from '@tollgate/problems/problem'
import { FAMILY_USER_HEADERS } from '@tollgate/problems/request-language'
import type { UserHeader } from '../services/handler.ts'

const OWN = 'tollgate-user'

export function userHeaderKind(headers: IncomingHttpHeaders): UserHeader | undefined {
  if (headers[OWN] !== undefined) return 'own'
  return FAMILY_USER_HEADERS.some((name) => headers[name] !== undefined) ? 'family' : undefined
}

/** The user id in the user header; `undefined` when the header is missing, NaN when it is not a user id. */
export function namedUser(headers: IncomingHttpHeaders): number | undefined {
  const value = [OWN, ...FAMILY_USER_HEADERS].map((name) => headers[name]).find((one) => one !== undefined)
  if (value === undefined) return undefined
  return /^-?\d{1,15}$/.test(String(value)) ? Number(value) : Number.NaN
}

/** Protects against CSRF: another site can make a browser send its cookie, but not this header. */
export function requireUserHeader(headers: IncomingHttpHeaders, userId: number): void {
  if (namedUser(headers) === undefined) throw problem('user_header_missing')
  refuseOtherUser(headers, userId)
}

/** For callers who may omit the user header: a header with another user's id is still an error. */
export function refuseOtherUser(headers: IncomingHttpHeaders, userId: number): void {
  const named = namedUser(headers)
  if (named === undefined || named === userId) return
  throw problem(Number.isNaN(named) ? 'user_header_invalid' : 'user_header_mismatch')
}
