import type { Egress } from '@tollgate/egress/egress'
import { invariant } from '@tollgate/kit/invariant'
import type { CustomFetch } from 'openid-client'

/** The time limit that new-api uses for a provider. */
export const SIGN_IN_TIMEOUT_MS = 5_000
/** Key sets and profiles are a few KiB. */
export const SIGN_IN_BYTES_MAX = 256 * 1024
const USER_AGENT = 'Tollgate'

/**
 * Lets the OAuth library send its requests through the guarded egress. Rejects with egress's `Problem`, which
 * names no host.
 */
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

/** Statuses for which a `Response` may not have a body. */
const BODYLESS: ReadonlySet<number> = new Set([204, 205, 304])

/** Bodies of sign-in requests are forms or JSON text, nothing else. */
function textOf(body: unknown): string {
  invariant(typeof body === 'string' || body instanceof URLSearchParams, 'a sign-in sends forms')
  return String(body)
}
