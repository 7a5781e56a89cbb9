import type { IncomingMessage } from 'node:http'

const NAME = 'session'
/** 256 bits as base64url; anything else was not given out by us. */
const VALUE = /^[A-Za-z0-9_-]{43}$/

export function sessionIdOf(request: IncomingMessage): string | undefined {
  return cookieValue(request, NAME)
}

/** The value of a cookie of ours; every one of them holds 256 random bits. */
export function cookieValue(request: IncomingMessage, wanted: string): string | undefined {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [name, value = ''] = pair.trim().split('=', 2)
    if (name === wanted && VALUE.test(value)) return value
  }
  return undefined
}

export function sessionCookie(id: string, options: { maxAgeSeconds: number; isSecure: boolean }): string {
  const secure = options.isSecure ? '; Secure' : ''
  return `${NAME}=${id}; Path=/; Max-Age=${options.maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`
}

export function endedCookie(): string {
  return sessionCookie('', { maxAgeSeconds: 0, isSecure: false })
}
