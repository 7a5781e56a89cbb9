import type { IncomingMessage } from 'node:http'
import { randomToken } from '@tollgate/kit/ids'
import type { Browser } from '../services/handler.ts'
import { cookieValue } from './session-cookie.ts'

const NAME = 'sign_in'
/** Only the routes that begin and end a sign-in elsewhere ever see it. */
const PATH = '/api/oauth'

/** Marks the browser of `request`; `setCookie` puts the header on its answer. */
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
