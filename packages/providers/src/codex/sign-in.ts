import { isRecord, parseObject, textAt, type JsonObject } from '@tollgate/dialects/json'
import { problem } from '@tollgate/problems/problem'

export const SIGN_IN_HINT = '{"access_token":"…","refresh_token":"…","account_id":"…"}'

const IN_HEADERS = /^[\x21-\x7e]+$/

export interface SignIn {
  readonly accessToken: string
  readonly accountId: string
  /** `undefined`: the credential cannot be refreshed. */
  readonly refreshToken: string | undefined
  readonly idToken: string | undefined
  /** Times as text, if they are stored beside the tokens. */
  readonly expired: string | undefined
  readonly lastRefresh: string | undefined
}

/**
 * Parses a key in the format of the vendor's own credentials file; the tokens may be at the top or under
 * `tokens`. Throws `channel_key_invalid`.
 */
export function signInOf(key: string): SignIn {
  const signIn = readSignIn(key)
  if (signIn === undefined) throw problem('channel_key_invalid', { hint: SIGN_IN_HINT })
  return signIn
}

/** Like {@link signInOf}, but returns `undefined` for anything else. */
export function readSignIn(key: string): SignIn | undefined {
  const file = parseObject(key) ?? {}
  const tokens = isRecord(file['tokens']) ? file['tokens'] : file
  const accessToken = textAt(tokens, 'access_token')
  const accountId = textAt(tokens, 'account_id')
  if (!isToken(accessToken) || !isToken(accountId)) return undefined
  return {
    accessToken,
    accountId,
    refreshToken: textAt(tokens, 'refresh_token') || undefined,
    idToken: textAt(tokens, 'id_token'),
    expired: textAt(tokens, 'expired') ?? textAt(file, 'expired'),
    lastRefresh: textAt(tokens, 'last_refresh') ?? textAt(file, 'last_refresh'),
  }
}

/** Whether a text can be sent as a token in a header. */
export function isToken(text: string | undefined): text is string {
  return text !== undefined && IN_HEADERS.test(text)
}

export interface NewTokens {
  readonly accessToken: string
  readonly refreshToken: string | undefined
  readonly idToken: string | undefined
  /** An ISO 8601 time. */
  readonly expired: string | undefined
  readonly lastRefresh: string
}

/** Replaces the tokens of a key and returns it as one line; its other members are kept. */
export function withTokens(key: string, tokens: NewTokens): string {
  const file = parseObject(key) ?? {}
  const { accessToken, refreshToken, idToken, expired, lastRefresh } = tokens
  const fresh: JsonObject = {
    access_token: accessToken,
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    ...(idToken !== undefined && { id_token: idToken }),
  }
  const { expired: _over, ...others } = file
  const times = { ...(expired !== undefined && { expired }), last_refresh: lastRefresh }
  const inside = isRecord(file['tokens']) ? { tokens: { ...file['tokens'], ...fresh } } : fresh
  return JSON.stringify({ ...others, ...inside, ...times })
}
