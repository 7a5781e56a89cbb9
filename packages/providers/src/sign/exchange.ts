import { parseObject, textAt } from '@tollgate/dialects/json'

/** A request that exchanges a channel's key for a short-lived access token. */
export interface TokenRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The token, or the message of the vendor's refusal. */
export type TokenAnswer =
  | { readonly type: 'token'; readonly token: string; readonly lifetimeMs: number }
  | { readonly type: 'refused'; readonly message: string }

/** How a vendor exchanges keys for access tokens. */
export interface TokenExchange {
  /** Throws a `channel_key_invalid` problem for a key that cannot be exchanged. */
  readonly request: (key: string, nowMs: number) => TokenRequest
  readonly read: (body: Buffer) => TokenAnswer
}

/** Reads the OAuth format: `access_token` and `expires_in`, or `error` and `error_description`. */
export function readTokenAnswer(body: Buffer): TokenAnswer {
  const answer = parseObject(body) ?? {}
  const token = textAt(answer, 'access_token')
  const seconds = answer['expires_in']
  if (token !== undefined && typeof seconds === 'number' && seconds > 0)
    return { type: 'token', token, lifetimeMs: seconds * 1000 }
  return { type: 'refused', message: textAt(answer, 'error_description') ?? textAt(answer, 'error') ?? '' }
}
