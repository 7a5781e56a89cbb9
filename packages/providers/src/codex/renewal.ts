import { parseObject, recordAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import type { KeyLife, KeyRenewal, RenewalAnswer } from '../sign/renewal.ts'
import { isToken, readSignIn, withTokens } from './sign-in.ts'

/**
 * The URL where the vendor's own client refreshes its tokens. https://github.com/openai/codex,
 * codex-rs/login.
 */
export const RENEWAL_URL = 'https://auth.openai.com/oauth/token'

/**
 * The public OAuth client id of the vendor's own client. Tokens can be refreshed only by the client they were
 * issued to.
 */
const CLIENT = 'app_EMoamEEZ73f0CkXaXp7hrann'
const SCOPE = 'openid profile email'

/** Each refresh response contains a new refresh token; the one that was sent is invalid from then on. */
export const codexRenewal: KeyRenewal = {
  lifeOf: (key) => {
    const signIn = readSignIn(key)
    return signIn && (lifeOfToken(signIn.accessToken) ?? lifeBetween(signIn.lastRefresh, signIn.expired))
  },
  holderOf: (key) => readSignIn(key)?.accountId ?? '',
  request: (key, place) => {
    const refreshToken = readSignIn(key)?.refreshToken
    return refreshToken === undefined ? undefined : requestWith(refreshToken, place)
  },
  read: ({ status, body }, asked) => {
    const answer = parseObject(body) ?? {}
    return status >= 200 && status < 300 ? successorOf(answer, asked) : refusalOf(answer, status)
  },
  secretsOf: (key) => {
    const { accessToken, refreshToken, idToken } = readSignIn(key) ?? {}
    return [accessToken, refreshToken, idToken].filter((text) => text !== undefined)
  },
}

function requestWith(refreshToken: string, place: string) {
  return {
    url: place || RENEWAL_URL,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({
      client_id: CLIENT,
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      scope: SCOPE,
    }),
  }
}

function successorOf(
  answer: JsonObject,
  { key, nowMs }: { readonly key: string; readonly nowMs: number },
): RenewalAnswer {
  const accessToken = textAt(answer, 'access_token')
  if (!isToken(accessToken)) return { type: 'failed', message: 'the answer has no access token' }
  const seconds = answer['expires_in']
  const endsMs =
    lifeOfToken(accessToken)?.endsMs ??
    (typeof seconds === 'number' && seconds > 0 ? nowMs + seconds * 1000 : undefined)
  const tokens = {
    accessToken,
    refreshToken: textAt(answer, 'refresh_token') || undefined,
    idToken: textAt(answer, 'id_token'),
    expired: endsMs === undefined ? undefined : isoTime(endsMs),
    lastRefresh: new Date(nowMs).toISOString(),
  }
  return { type: 'renewed', key: withTokens(key, tokens) }
}

/**
 * Error codes after which the owner has to sign in again. https://github.com/openai/codex,
 * codex-rs/core/src/auth.rs.
 */
const FINAL: ReadonlySet<string> = new Set([
  'invalid_grant',
  'refresh_token_expired',
  'refresh_token_reused',
  'refresh_token_invalidated',
])

function refusalOf(answer: JsonObject, status: number): RenewalAnswer {
  const error = recordAt(answer, 'error')
  const code = (error ? textAt(error, 'code') : textAt(answer, 'error')) ?? textAt(answer, 'code') ?? ''
  const words =
    (error && textAt(error, 'message')) ??
    textAt(answer, 'error_description') ??
    textAt(answer, 'message') ??
    ''
  const message = [`status ${status}`, code, words].filter((part) => part !== '').join(', ')
  return { type: status === 401 || FINAL.has(code) ? 'refused' : 'failed', message }
}

/**
 * Reads the lifetime from the claims of a JWT. The signature is not verified, because no security decision
 * depends on these claims.
 */
function lifeOfToken(token: string): KeyLife | undefined {
  const [, claims = ''] = token.split('.')
  const reported = parseObject(Buffer.from(claims, 'base64url')) ?? {}
  const endsMs = secondsAt(reported, 'exp')
  return endsMs === undefined ? undefined : { startsMs: secondsAt(reported, 'iat'), endsMs }
}

function lifeBetween(from: string | undefined, until: string | undefined): KeyLife | undefined {
  const endsMs = Date.parse(until ?? '')
  const startsMs = Date.parse(from ?? '')
  if (Number.isNaN(endsMs)) return undefined
  return { startsMs: Number.isNaN(startsMs) ? undefined : startsMs, endsMs }
}

/** The largest Unix time, in seconds, whose date has a four-digit year (9999-12-31T23:59:59Z). */
const SECONDS_MAX = 253_402_300_799

function secondsAt(claims: JsonObject, name: string): number | undefined {
  const seconds = claims[name]
  return typeof seconds === 'number' && seconds > 0 && seconds <= SECONDS_MAX ? seconds * 1000 : undefined
}

function isoTime(timeMs: number): string | undefined {
  return timeMs <= SECONDS_MAX * 1000 ? new Date(timeMs).toISOString() : undefined
}
