import type { OAuthProviderName } from '@tollgate/contract/oauth'
import { Problem, problem } from '@tollgate/problems/problem'
import * as client from 'openid-client'
import { providers } from './enabled-providers.ts'
import type { OAuthServices } from './services.ts'
import type { Identity } from '@tollgate/store/accounts/identities'

/**
 * A sign-in provider that redirects the browser back with an authorization code. The library implements the
 * protocol; this describes what differs between providers.
 */
export interface OAuthProvider {
  readonly name: OAuthProviderName
  readonly scope: string
  /** Whether the code is bound to a proof key (PKCE). */
  readonly hasProofKey: boolean
  /** Whether the token response contains an identity token that repeats a nonce. */
  readonly hasIdToken: boolean
  configure(): Promise<client.Configuration>
  identify(config: client.Configuration, tokens: Tokens): Promise<Person>
}

export type Tokens = Awaited<ReturnType<typeof client.authorizationCodeGrant>>

/** Values given to the browser at the start of a sign-in, which must come back with the callback. */
export interface SignInState {
  readonly state: string
  /** "" when the sign-in uses no PKCE. */
  readonly verifier: string
  readonly nonce: string
}

/** Returns the URL of the provider's sign-in page with all parameters of the request. */
export async function authorizeUrl(
  services: OAuthServices,
  provider: OAuthProvider,
  begun: SignInState,
): Promise<string> {
  const config = await configured(provider)
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri(services, provider.name),
    scope: provider.scope,
    state: begun.state,
    ...(begun.verifier !== '' && {
      code_challenge: await client.calculatePKCECodeChallenge(begun.verifier),
      code_challenge_method: 'S256',
    }),
    ...(begun.nonce !== '' && { nonce: begun.nonce }),
  })
  return url.href
}

/** Exchanges the code of a callback for tokens and returns the person they belong to. */
export async function exchangeCode(
  services: OAuthServices,
  provider: OAuthProvider,
  input: { begun: SignInState; code: string; iss: string | undefined },
): Promise<Person> {
  const { begun, code, iss } = input
  const callback = new URL(redirectUri(services, provider.name))
  callback.search = new URLSearchParams({
    code,
    state: begun.state,
    // A provider without a discovery document has no known issuer to compare `iss` with.
    ...(provider.hasIdToken && iss !== undefined && { iss }),
  }).toString()
  const config = await configured(provider)
  return asked(provider, async () => {
    const tokens = await client.authorizationCodeGrant(config, callback, {
      expectedState: begun.state,
      ...(begun.verifier !== '' && { pkceCodeVerifier: begun.verifier }),
      ...(begun.nonce !== '' && { expectedNonce: begun.nonce }),
      idTokenExpected: provider.hasIdToken,
    })
    return provider.identify(config, tokens)
  })
}

/**
 * Always uses the address that the operator configured: a request must not decide where a provider redirects
 * people.
 */
export function redirectUri({ options, ownAddress }: OAuthServices, provider: OAuthProviderName): string {
  return `${options.get('ServerAddress') || ownAddress()}/oauth/${provider}`
}

function configured(provider: OAuthProvider): Promise<client.Configuration> {
  return asked(provider, () => provider.configure())
}

/**
 * Converts errors into our problems: a network error means the provider is unreachable, any other error means
 * it refused.
 */
async function asked<Result>({ name }: OAuthProvider, ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask()
  } catch (cause) {
    const known = problemWithin(cause)
    if (known && !EGRESS_PROBLEMS.has(known.code)) throw known
    throw problem(known ? 'door_unreachable' : 'door_refused', { provider: providers[name].label }, { cause })
  }
}

const EGRESS_PROBLEMS: ReadonlySet<string> = new Set([
  'destination_invalid',
  'destination_refused',
  'do_request_failed',
  'first_byte_timeout',
  'answer_too_large',
  'header_invalid',
])

/** Finds the `Problem` thrown by egress, which the library wraps in its own errors. */
export function problemWithin(error: unknown): Problem | undefined {
  for (let one = error; one instanceof Error; one = one.cause) if (one instanceof Problem) return one
  return undefined
}

/** Reads JSON with the access token; any status but 200 throws. */
export async function readProtected(
  config: client.Configuration,
  tokens: Tokens,
  address: string,
): Promise<unknown> {
  const url = new URL(address)
  const headers = new Headers({ accept: 'application/json' })
  const answer = await client.fetchProtectedResource(config, tokens.access_token, url, 'GET', null, headers)
  if (answer.status !== 200) throw new Error(`the profile was answered with ${answer.status}`)
  return answer.json()
}

/** A person as the sign-in provider describes them. */
export interface Person {
  readonly identity: Identity
  readonly displayName: string
  /** The user name the person would like; used if it is free and valid here. */
  readonly wishedName?: string
  /** Only an address that the provider has verified. */
  readonly email?: string
}
