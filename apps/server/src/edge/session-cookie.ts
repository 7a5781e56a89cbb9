import type { IncomingMessage } from 'node:http'
import { problem } from '@tollgate/problems/problem'

const NAME = 'session'
/** 256 bits as base64url; any other value was not issued by this gateway. */
const VALUE = /^[A-Za-z0-9_-]{43}$/

export function sessionIdOf(request: IncomingMessage): string | undefined {
  return cookieValue(request, NAME)
}

/**
 * Returns the value of one of our cookies, each of which holds 256 random bits. A request with two cookies of
 * that name is refused: a site on a parent or sibling domain can plant a second one, and the request does not
 * show which one is ours.
 */
export function cookieValue(request: IncomingMessage, wanted: string): string | undefined {
  const values = (request.headers.cookie ?? '').split(';').flatMap((pair) => {
    const [name, value = ''] = pair.trim().split('=', 2)
    return name === wanted ? [value] : []
  })
  if (values.length > 1) throw problem('cookie_repeated', { name: wanted })
  const [value = ''] = values
  return VALUE.test(value) ? value : undefined
}

export function sessionCookie(id: string, options: { maxAgeSeconds: number; isSecure: boolean }): string {
  const secure = options.isSecure ? '; Secure' : ''
  return `${NAME}=${id}; Path=/; Max-Age=${options.maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`
}

export function endedCookie(): string {
  return sessionCookie('', { maxAgeSeconds: 0, isSecure: false })
}
