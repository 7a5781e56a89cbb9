import { createHash } from 'node:crypto'
import { randomToken } from '@tollgate/kit/ids'
import { type Asked, type Counterpart, type ServerAnswer, answering } from './counterpart.ts'

/** Query parameters with which a browser returns from a provider. */
export interface Returned {
  readonly code: string
  readonly state: string
}

/** A plain OAuth 2.0 provider that validates requests as strictly as a careful real one. */
export interface FakeOAuth extends Counterpart {
  /** The user approves the sign-in at the provider; returns what the browser brings back. */
  approve(authorizeUrl: string, person: object): Returned
  /** Every token request, with its redirect URI and PKCE verifier. */
  readonly trades: Trade[]
  /** Sets the response to token requests from now on; `undefined` restores the normal one. */
  breakWith(reported: ServerAnswer | undefined): void
}

export interface Trade {
  readonly redirectUri: string | null
  readonly verifier: string | null
}

interface Grant {
  readonly person: object
  readonly challenge: string | null
}

export interface FakeOAuthOptions {
  readonly clientId: string
  readonly clientSecret: string
  /** How the client authenticates: credentials in the form or in the header. */
  readonly by: 'form' | 'header'
  /** Profile responses by path, for a valid access token. */
  readonly profiles: Readonly<Record<string, (person: object) => unknown>>
}

export async function fakeOAuth(options: FakeOAuthOptions): Promise<FakeOAuth> {
  const grants = new Map<string, Grant>()
  const tokens = new Map<string, object>()
  const trades: Trade[] = []
  let broken: ServerAnswer | undefined

  function trade(asked: Asked): ServerAnswer {
    if (broken) return broken
    if (!isClient(asked, options)) return { body: { error: 'incorrect_client_credentials' } }
    const code = asked.form.get('code') ?? ''
    const grant = grants.get(code)
    grants.delete(code)
    trades.push({ redirectUri: asked.form.get('redirect_uri'), verifier: asked.form.get('code_verifier') })
    if (!grant || !isProven(grant, asked.form.get('code_verifier')))
      return { body: { error: 'bad_verification_code', error_description: 'The code is wrong or expired.' } }
    const token = randomToken()
    tokens.set(token, grant.person)
    return { body: { access_token: token, token_type: 'bearer', scope: 'user:email' } }
  }

  const counterpart = await answering((asked) => {
    if (asked.method === 'POST' && asked.path === '/token') return trade(asked)
    const person = tokens.get(asked.headers.authorization?.replace(/^Bearer /i, '') ?? '')
    const profile = options.profiles[asked.path]
    if (!person || !profile) return { status: 401, body: { message: 'Bad credentials' } }
    return { body: profile(person) }
  })
  return {
    ...counterpart,
    trades,
    breakWith: (reported) => {
      broken = reported
    },
    approve: (authorizeUrl, person) => {
      const { searchParams } = new URL(authorizeUrl)
      if (searchParams.get('client_id') !== options.clientId) throw new Error('another client')
      const code = randomToken(15)
      grants.set(code, { person, challenge: searchParams.get('code_challenge') })
      return { code, state: searchParams.get('state') ?? '' }
    },
  }
}

function isClient({ form, headers }: Asked, { clientId, clientSecret, by }: FakeOAuthOptions): boolean {
  if (by === 'form') return form.get('client_id') === clientId && form.get('client_secret') === clientSecret
  return headers.authorization === `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
}

function isProven({ challenge }: Grant, verifier: string | null): boolean {
  if (challenge === null) return verifier === null
  return (
    createHash('sha256')
      .update(verifier ?? '')
      .digest('base64url') === challenge
  )
}
