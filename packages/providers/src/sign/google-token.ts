import { parseObject, textAt } from '@tollgate/dialects/json'
import { problem } from '@tollgate/problems/problem'
import { readTokenAnswer, type TokenExchange } from './exchange.ts'
import { signRs256 } from './jwt.ts'

const TOKEN_URL = 'https://www.googleapis.com/oauth2/v4/token'
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform'
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const ASSERTION_SECONDS = 35 * 60

/** The members of a service account file that are used. */
export interface ServiceAccount {
  readonly projectId: string
  readonly clientEmail: string
  readonly privateKey: string
  readonly privateKeyId: string | undefined
}

/** `undefined` when the text is not a service account file. */
export function readServiceAccount(key: string): ServiceAccount | undefined {
  const file = parseObject(key) ?? {}
  const projectId = textAt(file, 'project_id')
  const clientEmail = textAt(file, 'client_email')
  const privateKey = textAt(file, 'private_key')
  if (projectId === undefined || clientEmail === undefined || privateKey === undefined) return undefined
  return { projectId, clientEmail, privateKey, privateKeyId: textAt(file, 'private_key_id') }
}

/**
 * Exchanges a service account for an access token. The URL is always Google's own and not read from the file,
 * so that a file cannot send the signed assertion elsewhere.
 * https://developers.google.com/identity/protocols/oauth2/service-account#httprest
 */
export const googleTokens: TokenExchange = {
  request: (key, nowMs) => ({
    url: TOKEN_URL,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: GRANT, assertion: assertion(key, nowMs) }).toString(),
  }),
  read: readTokenAnswer,
}

function assertion(key: string, nowMs: number): string {
  const account = readServiceAccount(key)
  if (account === undefined) throw wrongKey()
  const issuedAt = Math.floor(nowMs / 1000)
  const { clientEmail, privateKey, privateKeyId } = account
  const parts = {
    header: { alg: 'RS256', typ: 'JWT', ...(privateKeyId === undefined ? {} : { kid: privateKeyId }) },
    claims: {
      iss: clientEmail,
      scope: SCOPE,
      aud: TOKEN_URL,
      iat: issuedAt,
      exp: issuedAt + ASSERTION_SECONDS,
    },
  }
  try {
    return signRs256(parts, privateKey)
  } catch (cause) {
    throw wrongKey(cause)
  }
}

function wrongKey(cause?: unknown): Error {
  return problem('channel_key_invalid', { hint: 'service account JSON' }, { cause })
}
