import { generateKeyPairSync } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { type Account, Provider } from 'oidc-provider'
import { type Counterpart, listening } from './counterpart.ts'

/** A real OpenID Connect issuer that requires PKCE and signs in the given person. */
export interface Issuer extends Counterpart {
  /** Runs the sign-in in a separate browser; returns the query of the callback. */
  approve(authorizeUrl: string, person: string): Promise<Record<string, string>>
}

export interface IssuerOptions {
  readonly redirectUris: readonly string[]
  readonly people: Readonly<Record<string, Account>>
  /** Publishes a key that does not match its signatures, under the key id of the one that does. */
  readonly hasForeignKey?: boolean
  /** The person who signs in when a browser follows the authorize URL by itself. */
  readonly visitor?: string
}

export const ISSUER_CLIENT = { client_id: 'tollgate', client_secret: 'canary-oidc-client-secret' }

export async function openIssuer({
  redirectUris,
  people,
  hasForeignKey,
  visitor = '',
}: IssuerOptions): Promise<Issuer> {
  let handle: RequestListener | undefined
  const counterpart = await listening((request, response) => handle?.(request, response))
  const provider = new Provider(counterpart.address, {
    clients: [
      {
        ...ISSUER_CLIENT,
        redirect_uris: redirectUris,
        token_endpoint_auth_method: 'client_secret_post',
        id_token_signed_response_alg: 'ES256',
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'preferred_username'] },
    conformIdTokenClaims: false,
    cookies: { keys: ['cookie key of the tests'] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, ...people[id] }) }),
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    jwks: { keys: [signingKey()] },
    pkce: { required: () => true },
    ttl: Object.fromEntries(KEPT_THINGS.map((thing) => [thing, 600])),
  })
  const answer = provider.callback()
  let person = visitor
  handle = (request, response) => {
    const { url = '' } = request
    if (hasForeignKey && url === '/jwks') response.end(JSON.stringify({ keys: [signingKey()] }))
    else if (url.startsWith('/interaction/')) void signIn(provider, { request, response, person })
    else void answer(request, response)
  }
  return {
    ...counterpart,
    approve: (authorizeUrl, who) => {
      person = who
      return follow(authorizeUrl, counterpart.address)
    },
  }
}

const KEPT_THINGS = ['AccessToken', 'AuthorizationCode', 'Grant', 'IdToken', 'Interaction', 'Session']

function signingKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { ...privateKey.export({ format: 'jwk' }), kid: 'signing', use: 'sig', alg: 'ES256' }
}

interface SigningIn {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly person: string
}

/** The issuer skips the password and consent pages. */
async function signIn(provider: Provider, { request, response, person }: SigningIn): Promise<void> {
  const { params } = await provider.interactionDetails(request, response)
  const grant = new provider.Grant({ accountId: person, clientId: String(params['client_id']) })
  grant.addOIDCScope(String(params['scope']))
  const result = { login: { accountId: person }, consent: { grantId: await grant.save() } }
  await provider.interactionFinished(request, response, result)
}

const STEPS_MAX = 8

/** Follows redirects as a browser does, until one leaves the issuer. */
async function follow(start: string, home: string): Promise<Record<string, string>> {
  const cookies = new Map<string, string>()
  let url = new URL(start)
  for (let step = 0; step < STEPS_MAX; step++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`the issuer stopped: ${response.status} ${await response.text()}`)
    url = new URL(location, url)
    if (url.origin !== home) return Object.fromEntries(url.searchParams)
  }
  throw new Error('the issuer sends its visitors round and round')
}
