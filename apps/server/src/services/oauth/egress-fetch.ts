import type { Egress } from '@tollgate/egress/egress'
import { invariant } from '@tollgate/kit/invariant'
import type { CustomFetch } from 'openid-client'

/** As the family waits for a provider. */
export const SIGN_IN_TIMEOUT_MS = 5_000
/** Key sets and profiles are a few KiB. */
export const SIGN_IN_BYTES_MAX = 256 * 1024
const USER_AGENT = 'Tollgate'

/** Lets the protocol library out through the one guarded way. Rejects with its Problem, which names no host. */
export function egressFetch(egress: Pick<Egress, 'exchange'>): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    invariant(method === 'GET' || method === 'POST', 'sign-in providers are asked with GET and POST')
    const answer = await egress.exchange({
      method,
      url,
      headers: { ...headers, 'user-agent': USER_AGENT },
      ...(body !== undefined && body !== null && { body: textOf(body) }),
      ...(signal && { signal }),
      timeoutMs: SIGN_IN_TIMEOUT_MS,
      bytesMax: SIGN_IN_BYTES_MAX,
    })
    const hasBody = !BODYLESS.has(answer.status)
    return new Response(hasBody ? new Uint8Array(answer.body) : null, {
      status: answer.status,
      headers: answer.headers,
    })
  }
}

/** Statuses with which a `Response` takes no body. */
const BODYLESS: ReadonlySet<number> = new Set([204, 205, 304])

/** Forms and JSON texts: the requests of a sign-in have no other bodies. */
function textOf(body: unknown): string {
  invariant(typeof body === 'string' || body instanceof URLSearchParams, 'a sign-in sends forms')
  return String(body)
}
