import type { IncomingMessage } from 'node:http'
import { randomToken } from '@tollgate/kit/ids'
import type { Browser } from '../services/handler.ts'
import { cookieValue } from './session-cookie.ts'

const NAME = 'sign_in'
/** The cookie is sent only to the routes that start and finish a sign-in with a provider. */
const PATH = '/api/oauth'

/** Identifies the browser of `request` by a cookie; `setCookie` adds the header to the response. */
export function browserOf(
  request: IncomingMessage,
  { isSecure, setCookie }: { isSecure: () => boolean; setCookie: (cookie: string) => void },
): Browser {
  const known = cookieValue(request, NAME)
  return {
    known,
    mark: (lifetimeMs) => {
      const mark = known ?? randomToken()
      const lasting = `Path=${PATH}; Max-Age=${Math.ceil(lifetimeMs / 1000)}`
      setCookie(`${NAME}=${mark}; ${lasting}; HttpOnly; SameSite=Strict${isSecure() ? '; Secure' : ''}`)
      return mark
    },
  }
}
